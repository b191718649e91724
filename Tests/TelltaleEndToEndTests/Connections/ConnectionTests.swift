import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// The agent's socket, as programs, people and attackers use it.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct ConnectionTests {
    @Test("a program is answered after its handshake, which proves the process")
    func handshake() throws {
        let host = try TestHost()
        let client = try RawClient(host.socketPath())
        client.send(line: RawClient.hello)
        let hello = try #require(client.line())
        #expect(hello.contains("\"pid\":\(host.pid)"))
        #expect(
            hello.contains("\"startTicks\":\(ProcessFiles(pid: host.pid).stat?.startTicks ?? 0)"))
        client.send(line: #"{"jsonrpc":"2.0","id":7,"method":"objects"}"#)
        let answer = try #require(client.line())
        #expect(answer.contains("\"id\":7"))
        #expect(answer.contains("PhotoLibrary"))
    }

    @Test("a short answer comes in one piece, which wakes who waits for it once")
    func onePiece() throws {
        let host = try TestHost()
        let client = try RawClient(host.socketPath())
        client.send(line: RawClient.hello)
        _ = try #require(client.line())
        let before = client.arrivals
        for id in 0..<300 {
            client.send(line: Attack.request("get", id: id, #"{"path":"photos.prompt"}"#))
            #expect(client.line()?.contains(#""result""#) == true)
        }
        #expect(client.arrivals == before + 300)
    }

    @Test("a request ahead of the handshake is refused with the line that should have come")
    func noHandshake() throws {
        let host = try TestHost()
        let client = try RawClient(host.socketPath())
        client.send(line: #"{"jsonrpc":"2.0","id":1,"method":"objects"}"#)
        let answer = try #require(client.line())
        #expect(answer.contains("the first request must be `hello`"))
        #expect(answer.contains("protocolVersion"))
        #expect(client.closes())
    }

    @Test("an unknown version is refused with both numbers")
    func wrongVersion() throws {
        let host = try TestHost()
        let client = try RawClient(host.socketPath())
        client.send(line: RawClient.hello.replacingOccurrences(of: ":1,", with: ":99,"))
        let answer = try #require(client.line())
        #expect(answer.contains("the client speaks protocol 99 and this agent 1 to 1"))
        #expect(client.closes())
    }

    @Test(
        "a line that can't be understood is answered with what is wrong, and the next one is read",
        arguments: [
            "{\"jsonrpc\":", #"{"jsonrpc":"2.0","id":1,"method":5}"#, "{} trailing",
            #"{"jsonrpc":"2.0","id":1,"method":"nonsense"}"#, "[1,2]",
            #"{"jsonrpc":"2.0","id":1,"method":"show","params":{"path":5}}"#,
            #"{"jsonrpc":"2.0","id":1,"method":"show","params":{"path":"a..b"}}"#,
        ])
    func malformed(_ line: String) throws {
        let host = try TestHost()
        let client = try RawClient(host.socketPath())
        client.send(line: RawClient.hello)
        _ = try #require(client.line())
        client.send(line: line)
        let answer = try #require(client.line())
        #expect(answer.contains("\"error\""), "\(answer)")
        client.send(line: #"{"jsonrpc":"2.0","id":2,"method":"objects"}"#)
        #expect(client.line()?.contains("PhotoLibrary") == true)
    }

    @Test("invalid UTF-8 is refused by name")
    func invalidUTF8() throws {
        let host = try TestHost()
        let client = try RawClient(host.socketPath())
        client.send(line: RawClient.hello)
        _ = try #require(client.line())
        client.send(
            Array(#"{"jsonrpc":"2.0","id":1,"method":""#.utf8) + [0xFF, 0xFE, 0x22, 0x7D, 0x0A])
        #expect(client.line()?.contains("UTF-8") == true)
    }

    @Test("a request over the bound is refused with both numbers")
    func overTheBound() throws {
        let host = try TestHost()
        let client = try RawClient(host.socketPath())
        client.send(line: RawClient.hello)
        _ = try #require(client.line())
        client.send(
            Array("{\"x\":\"".utf8) + [UInt8](repeating: 0x61, count: (1 << 20) + 10) + [0x0A])
        let answer = try #require(client.line())
        #expect(answer.contains("1,048,576"), "\(answer)")
        #expect(host.isRunning)
    }

    @Test("half a request is given up at its deadline")
    func halfARequest() throws {
        let host = try TestHost()
        let client = try RawClient(host.socketPath())
        client.send(Array("{\"jsonrpc\"".utf8))
        #expect(client.closes())
        #expect(host.isRunning)
    }

    @Test("clients that vanish in the middle cost nothing")
    func disconnects() throws {
        let host = try TestHost()
        let path = try host.socketPath()
        let files = ProcessFiles(pid: host.pid)
        // Dispatch opens descriptors of its own with the first probe of a queue.
        _ = try host.telltale(["\(host.pid)", "dump"])
        let before = files.descriptorCount ?? 0
        for number in 0..<200 {
            let client = try RawClient(path)
            if number % 2 == 0 { client.send(line: RawClient.hello) }
            client.send(Array(#"{"jsonrpc":"2.0","id":1,"method":"dump"}"#.utf8))
            if number % 3 == 0 { client.send([0x0A]) }
        }
        // Connections are let in one after another, so this one's answer says that all were.
        do {
            let last = try RawClient(path)
            last.send(line: RawClient.hello)
            #expect(last.line()?.contains("\"result\"") == true)
        }
        let deadline = MonotonicTime.now.advanced(by: .seconds(30))
        var after = files.descriptorCount ?? .max
        while after > before, deadline > .now { after = files.descriptorCount ?? .max }
        #expect(after <= before)
        #expect(try host.telltale(["\(host.pid)", "get", "answer"]).output == "42\n")
    }

    @Test("a newcomer is let in while sixteen sessions stand idle")
    func newcomer() throws {
        let host = try TestHost()
        let path = try host.socketPath()
        var held: [RawClient] = []
        for _ in 0..<40 {
            let client = try RawClient(path)
            client.send(line: RawClient.hello)
            #expect(client.line()?.contains("\"result\"") == true)
            held.append(client)
        }
        #expect(try host.telltale(["\(host.pid)", "get", "answer"]).output == "42\n")
    }

    @Test("a person types the same commands with nc or socat")
    func person() throws {
        let host = try TestHost()
        let client = try RawClient(host.socketPath())
        client.send(line: "objects")
        #expect(client.line()?.hasPrefix("NAME") == true)
        client.send(line: "get answer")
        var line = client.line()
        while let next = line, next != "42" { line = client.line() }
        #expect(line == "42")
        client.send(line: "quit")
        #expect(client.closes())
    }

    @Test("a dump that is asked for as a stream comes in parts ahead of its answer")
    func streamedDump() throws {
        let host = try TestHost()
        let client = try RawClient(host.socketPath())
        client.send(line: RawClient.hello)
        _ = try #require(client.line())
        client.send(line: #"{"jsonrpc":"2.0","id":5,"method":"dump","params":{"stream":true}}"#)
        let part = try #require(client.line())
        #expect(part.contains("\"method\":\"part\""))
        #expect(part.contains("d1 BEGIN"))
        let answer = try #require(client.line())
        #expect(answer.contains("\"id\":5"))
        #expect(answer.contains("\"lines\":[]"))
    }

    @Test("a deleted socket, and a deleted directory, are back within a second")
    func deletedSocket() throws {
        let host = try TestHost()
        let path = try host.socketPath()
        for victim in [path, host.directory] {
            // The quickest of five: the agent may have to wait for a processor.
            var times: [Duration] = []
            repeat {
                // More than once where the agent is quicker: the folder is not empty then.
                try waitUntil("\(victim) is deleted") {
                    (try? FileManager.default.removeItem(atPath: victim)) != nil
                }
                let began = MonotonicTime.now
                try waitUntil("there is a socket at \(path) again") {
                    (try? RawClient(path)) != nil
                }
                times.append(MonotonicTime.now.since(began))
            } while times.count < 5 && !times.contains { $0 < .seconds(1) }
            #expect(times.contains { $0 < .seconds(1) }, "\(times)")
            #expect(times.allSatisfy { $0 < .seconds(10) }, "\(times)")
        }
    }

    @Test("stop() takes the socket away, and start() brings it back")
    func stopAndStart() throws {
        let host = try TestHost()
        let path = try host.socketPath()
        #expect(try host.perform("stop") == "stopped")
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try host.perform("start") == "running")
        #expect(try host.telltale(["\(host.pid)", "get", "answer"]).output == "42\n")
    }
}
