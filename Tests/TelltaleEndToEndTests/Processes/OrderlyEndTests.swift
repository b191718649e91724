import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// A service that ends in order takes its socket away; one that is killed can't.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct OrderlyEndTests {
    @Test(
        "the socket goes with a process that ends of its own accord",
        arguments: ["return", "exit", "exit-slowly", "main", "quick", "handled"])
    func ends(_ way: String) throws {
        let host = try TestHost(way == "return" ? ["returns"] : [])
        let directory = SocketDirectory(path: host.directory)
        #expect(directory.sockets().map(\.pid) == [host.pid])
        _ = try? host.perform("end \(way)")
        try waitUntil("it has ended") { !host.isRunning }
        #expect(directory.sockets().isEmpty)
    }

    @Test("a service whose exit handler hangs is still answered", arguments: ["main", "quick"])
    func hangs(_ way: String) throws {
        let host = try TestHost(["hangs-at-exit"])
        _ = try? host.perform("end \(way)")
        try waitUntil("its stacks show the handler") {
            try host.telltale(["\(host.pid)", "stack"]).output.contains("hangAtExit")
        }
        #expect(try host.telltale(["\(host.pid)", "status"]).status == 0)
        #expect(SocketDirectory(path: host.directory).sockets().map(\.pid) == [host.pid])
    }

    @Test("the end of a child takes nothing of its parent's away")
    func child() throws {
        let host = try TestHost()
        #expect(try host.perform("end child") == "ended 0")
        #expect(SocketDirectory(path: host.directory).sockets().map(\.pid) == [host.pid])
        #expect(try host.telltale(["\(host.pid)", "get", "answer"]).output == "42\n")
    }

    @Test("what came into the socket's place stays")
    func replaced() throws {
        let host = try TestHost()
        let path = try host.socketPath()
        // Its thread makes a socket anew that was deleted; stopped, it does not.
        #expect(try host.perform("stop") == "stopped")
        #expect(FileManager.default.createFile(atPath: path, contents: Data()))
        _ = try? host.perform("end exit")
        try waitUntil("it has ended") { !host.isRunning }
        #expect(FileManager.default.fileExists(atPath: path))
    }
}
