import Foundation
import TelltaleTestSupport
import Testing

@testable import TelltaleProtocol

@Suite("Messages of the wire")
struct RPCTests {
    private func refusal(
        _ text: String, _ read: ([UInt8]) throws(CommandFailure) -> Void
    ) -> CommandFailure? {
        do throws(CommandFailure) {
            try read(Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    private func requestRefusal(_ text: String) -> String? {
        refusal(text) { (line) throws(CommandFailure) in _ = try RPCRequest(parsing: line) }
            .map { failure in
                #expect(failure.code == .protocolError)
                return failure.message
            }
    }

    private func answerRefusal(_ text: String) -> String? {
        refusal(text) { (line) throws(CommandFailure) in
            guard case .response(let response) = try RPCIncoming.parse(line) else { return }
            _ = try HelpAnswer(result: response.result.get())
        }
        .map { failure in
            #expect(failure.code == .protocolError)
            return failure.message
        }
    }

    @Test("a request is a line and reads back")
    func request() throws {
        let request = RPCRequest(
            id: .integer(1), method: "show",
            params: try JSONValueEncoder.encode(ShowCommand.Parameters(path: "a\n\"b", depth: 2)))
        #expect(
            request.line
                == #"{"jsonrpc":"2.0","id":1,"method":"show","params":{"path":"a\n\"b","depth":2}}"#
        )
        #expect(try RPCRequest(parsing: Array(request.line.utf8)) == request)
        let bare = RPCRequest(id: nil, method: "objects")
        #expect(bare.line == #"{"jsonrpc":"2.0","method":"objects"}"#)
        #expect(try RPCRequest(parsing: Array(bare.line.utf8)) == bare)
        let unknown = #"{"new":[1],"id":"x","jsonrpc":"2.0","params":null,"method":"m"}"#
        #expect(
            try RPCRequest(parsing: Array(unknown.utf8))
                == RPCRequest(id: .string("x"), method: "m"))
    }

    @Test(
        "what is no request is told why",
        arguments: [
            ("", "not a JSON line: the text ends instead of a value at byte 0"),
            ("{\"jsonrpc\":", "not a JSON line: the text ends instead of a value at byte 11"),
            ("[]", "a message is one object on a line, not an array"),
            ("{}", "a message without \"jsonrpc\":\"2.0\""),
            (#"{"jsonrpc":2.0}"#, "a message without \"jsonrpc\":\"2.0\""),
            (#"{"jsonrpc":"2.0","id":1}"#, "a request without a method"),
            (#"{"jsonrpc":"2.0","method":1}"#, "a request without a method"),
            (
                #"{"jsonrpc":"2.0","id":[],"method":"m"}"#,
                "a request's id is a number or a string, not an array"
            ),
            (
                #"{"jsonrpc":"2.0","method":"m","params":[1]}"#,
                "params are an object, not an array"
            ),
        ])
    func malformed(_ text: String, _ expected: String) {
        #expect(requestRefusal(text) == expected)
    }

    @Test("a request is bounded")
    func bounds() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(requestRefusal(#"{"jsonrpc":"2.0","x":"# + deep)?.contains("64 levels") == true)
        let long = String(repeating: " ", count: 1 << 21)
        #expect(requestRefusal(long)?.contains("2,097,152") == true)
    }

    @Test("answers and failures are lines and read back")
    func response() throws {
        let child = ValueNode(label: "title", type: "String", kind: .string, text: "\"\\u{9B}\"")
        let node = ValueNode(
            type: "Photo", kind: .object, address: "0x1", handle: 7, children: [child])
        let results: [RPCResponse.Outcome] = [
            .success(
                try ValueAnswer(path: "p", value: node, owner: "actor", read: "in place").result()),
            .success(try HelpAnswer(lines: ["a", "\u{1B}[2J"]).result()),
            .failure(CommandFailure(.notFound, "no 'x'", hint: "try 'y'")),
            .failure(CommandFailure(.init(rawValue: "quite-new"), "later")),
        ]
        for result in results {
            let response = RPCResponse(id: .string("a"), result: result)
            #expect(!response.line.contains { $0.isNewline || $0 == "\u{1B}" })
            #expect(try RPCResponse(parsing: Array(response.line.utf8)) == response)
            #expect(try RPCIncoming.parse(Array(response.line.utf8)) == .response(response))
        }
        #expect(
            RPCResponse(id: .null, result: results[2]).line
                == #"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no 'x'","#
                + #""data":{"code":"not-found","hint":"try 'y'"}}}"#)
    }

    @Test("an error of another kind of server keeps its kind")
    func foreignError() throws {
        let line = #"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}"#
        let response = try RPCResponse(parsing: Array(line.utf8))
        #expect(response.result == .failure(CommandFailure(.unknownCommand, "Method not found")))
    }

    @Test(
        "what is no answer is told why",
        arguments: [
            (
                #"{"jsonrpc":"2.0","id":1}"#,
                "a response has either a result or an error, this one not"
            ),
            (
                #"{"jsonrpc":"2.0","id":1,"result":{"kind":"later"}}"#,
                "an answer of kind 'later' is not known to this version, which expects 'help'"
            ),
            (
                #"{"jsonrpc":"2.0","id":1,"result":{"kind":"help","lines":[1]}}"#,
                "the answer, lines[0]: expected a String, found a number"
            ),
            (#"{"jsonrpc":"2.0","id":1,"error":{}}"#, "an error without a message"),
            (#"{"jsonrpc":"2.0","method":null}"#, "a notification without a method"),
        ])
    func malformedAnswers(_ text: String, _ expected: String) {
        #expect(answerRefusal(text) == expected)
    }

    @Test("an answer as deep as the limit is read on a small stack", .timeLimit(.minutes(1)))
    func deep() async throws {
        // The message and the answer take a level each, a node two: itself and its children.
        let levels = (JSONLimits.answer.maximumDepth - 2) / 2
        var node = ValueNode(type: "Int", kind: .scalar, text: "1")
        for _ in 0..<levels - 1 { node = ValueNode(type: "Node", kind: .object, children: [node]) }
        let response = RPCResponse(
            id: .integer(1), answer: ValueAnswer(path: "p", value: node, owner: "", read: ""))
        let whole = node
        let same = await withCheckedContinuation { continuation in
            let thread = Thread {
                let read = try? RPCResponse(parsing: Array(response.line.utf8)).result.get()
                let answer = read.flatMap { try? ValueAnswer(result: $0) }
                continuation.resume(returning: answer?.value == whole)
            }
            thread.stackSize = 1 << 20
            thread.start()
        }
        #expect(same)
        let deeper = ValueNode(type: "Node", kind: .object, children: [node])
        let tooDeep = RPCResponse(
            id: .integer(1), answer: ValueAnswer(path: "p", value: deeper, owner: "", read: ""))
        #expect(answerRefusal(tooDeep.line)?.contains("256 levels") == true)
    }

    @Test("parts of an answer come as notifications")
    func part() throws {
        let part = RPCNotification.part(id: .integer(3), lines: ["a", "b\n"])
        #expect(
            part.line
                == #"{"jsonrpc":"2.0","method":"part","params":{"id":3,"lines":["a","b\n"]}}"#)
        #expect(try RPCIncoming.parse(Array(part.line.utf8)) == .notification(part))
        #expect(part.lines == ["a", "b\n"])
        #expect(RPCNotification(method: "other").lines == [])
    }

    @Test("a notification names the code that runs for a request")
    func running() throws {
        let running = RPCNotification.running(id: .integer(3), "ledger.sum")
        #expect(
            running.line
                == #"{"jsonrpc":"2.0","method":"running","params":{"id":3,"code":"ledger.sum"}}"#)
        #expect(try RPCIncoming.parse(Array(running.line.utf8)) == .notification(running))
        #expect(running.code == "ledger.sum" && running.lines == [])
        #expect(RPCNotification.part(id: .integer(3), lines: ["a"]).code == nil)
    }

    @Test("damaged lines are refused or read, and never more")
    func damaged() throws {
        var generator = SeededGenerator(seed: 11)
        let line = Array(
            RPCResponse(
                id: .integer(1), result: .failure(CommandFailure(.usage, "é", hint: "h"))
            ).line.utf8)
        var refused = 0
        for _ in 0..<2000 {
            var damaged = line
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 0..<damaged.count, using: &generator)
                damaged[place] = UInt8.random(in: 0...255, using: &generator)
            }
            do throws(CommandFailure) {
                _ = try RPCIncoming.parse(damaged)
            } catch {
                refused += 1
                #expect(error.code == .protocolError && !error.message.isEmpty)
            }
        }
        #expect(refused > 1000)
    }
}
