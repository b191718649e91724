import Foundation
import TelltaleTestSupport
import Testing

@testable import TelltaleProtocol

@Suite("Hostile command lines")
struct HostileLineTests {
    private static let pieces = [
        "stack", "bt", "queue", "queues", "cancel", "task", "item", "watch", "stuck", "off",
        "suspend", "--every", "--every=5s", "--all", "--full", "main", "all",
        "show", "po", "get", "p", "set", "call", "dump", "undo", "help", "quit", "=", "==", "(",
        ")", "[", "]", "{", "}", "\"", "`", "\\", "'", ".", "..", "..<", "...", "#", "#7", "-",
        "--", "--depth", "--depth=", "--limit", "--output", "--snapshot", "-1", "0x", "1e", "9",
        "99999999999999999999999999", " ", "  ", "\t", "\0", "\u{1B}[2J", "\u{202E}", "é",
        "e\u{301}",
        "👨‍👩‍👧", "a", "photos", ".items", ",", ":", "nil", "\\u{", "\\uD800", "\r\n", "\u{2028}",
    ]

    @Test("any line is a request or a failure, and a request's line reads back")
    func randomLines() throws {
        var random = SeededGenerator(seed: 2)
        var requests = 0
        var failures = 0
        for _ in 0..<20_000 {
            let line = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                Self.pieces.randomElement(using: &random) ?? ""
            }.joined()
            do throws(CommandFailure) {
                guard let request = try CommandLineParser.parse(line) else { continue }
                requests += 1
                let sent = RPCRequest(
                    id: .integer(1), method: request.method, params: request.parameters)
                #expect(try RPCRequest(parsing: Array(sent.line.utf8)) == sent)
            } catch {
                failures += 1
                #expect(!error.message.isEmpty)
                _ = error.rendered()
            }
        }
        // Both sides of the parser were reached.
        #expect(requests > 1_000)
        #expect(failures > 1_000)
    }

    @Test(
        "a line of a megabyte is refused or read, and soon", .timeLimit(.minutes(1)),
        arguments: [
            "show a " + String(repeating: "--depth 1 ", count: 100_000),
            "show a " + String(repeating: "--depth=1 ", count: 100_000),
            "show " + String(repeating: "a ", count: 500_000),
            "stack " + String(repeating: "7 ", count: 500_000),
            "watch stuck --every " + String(repeating: "9", count: 1_000_000),
            String(repeating: "a[", count: 500_000), String(repeating: "(", count: 1 << 20),
            String(repeating: "\"", count: 1 << 20), String(repeating: "a.", count: 500_000),
            String(repeating: "e\u{301}", count: 300_000), String(repeating: "=", count: 1 << 20),
            "set a " + String(repeating: "[", count: 1 << 20),
        ])
    func longLines(line: String) {
        _ = try? CommandLineParser.parse(line)
    }

    @Test("eight times the options take about eight times the work")
    func manyOptions() {
        let few = work("show a " + String(repeating: "--depth 1 ", count: 12_500))
        let many = work("show a " + String(repeating: "--depth 1 ", count: 100_000))
        // Processor time of this thread, so that a busy machine changes nothing.
        #expect(many < few * 20, "\(few) and \(many)")
    }

    /// The least processor time that parsing a line took in three tries.
    private func work(_ line: String) -> Double {
        (0..<3).map { _ in
            let start = processorTime()
            _ = try? CommandLineParser.parse(line)
            return processorTime() - start
        }.min() ?? 0
    }

    private func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test("an integer that no number can hold is no infinity")
    func hugeInteger() throws {
        let digits = String(repeating: "9", count: 400)
        #expect(throws: (any Error).self) {
            try JSONValueDecoder.decode(Double.self, from: Literal(parsing: digits))
        }
        #expect(throws: (any Error).self) {
            try JSONValueDecoder.decode(Int.self, from: Literal(parsing: digits))
        }
        // The bound itself: the largest power of ten that a Double holds, and the next.
        let largest = "1" + String(repeating: "0", count: 308)
        #expect(try JSONValueDecoder.decode(Double.self, from: Literal(parsing: largest)) == 1e308)
        #expect(throws: (any Error).self) { try Literal(parsing: largest + "0") }
        #expect(try Literal(parsing: "-" + String(repeating: "0", count: 400)) == .integer("-0"))
        #expect(
            try JSONValueDecoder.decode(Double.self, from: Literal(parsing: "inf")) == .infinity)
    }
}
