import Testing

@testable import TelltaleProtocol

@Suite("What has changed between two looks")
struct WatchLogTests {
    private let noon: UInt64 = 1_700_000_000_000_000_000

    private func value(_ path: String, _ text: String?) -> WatchedValue {
        WatchedValue(path: path, text: text, failure: text == nil ? "a is gone" : nil)
    }

    @Test("the first look has all values, later ones what is another one")
    func changes() {
        var log = WatchLog()
        let style = TextStyle()
        #expect(
            log.add([value("a", "1"), value("b", "\"x\"")], at: noon, style) == [
                "22:13:20.000Z a: 1", "22:13:20.000Z b: \"x\"",
            ])
        #expect(log.add([value("a", "1"), value("b", "\"x\"")], at: noon, style) == [])
        #expect(
            log.add([value("a", "2"), value("b", nil)], at: noon, style) == [
                "22:13:20.000Z a: 1 -> 2", "22:13:20.000Z b: \"x\" -> <a is gone>",
            ])
        #expect(log.answer.looks == 3)
        #expect(log.answer.changes.count == 4)
        #expect(log.answer.changes.last?.from == "\"x\"")
        #expect(log.answer.values.map(\.text) == ["2", nil])
    }

    @Test("numbers have a graph on a terminal, of the last 24 looks")
    func graphs() {
        var log = WatchLog()
        let style = TextStyle(width: 80)
        #expect(log.add([value("a", "1")], at: noon, style) == ["22:13:20.000Z a: 1"])
        #expect(log.add([value("a", "9")], at: noon, style) == ["22:13:20.000Z a: 1 -> 9  ▁█"])
        for _ in 0..<40 { _ = log.add([value("a", "9")], at: noon, style) }
        let line = log.add([value("a", "5")], at: noon, style)
        #expect(line == ["22:13:20.000Z a: 9 -> 5  " + String(repeating: "█", count: 23) + "▁"])
        #expect(WatchLog.graph(of: [0, 1, 2, 3, 4, 5, 6, 7]) == "▁▂▃▄▅▆▇█")
        #expect(WatchLog.graph(of: [3, 3]) == "▁▁")
        #expect(WatchLog.graph(of: []) == "")
        let far = Double.greatestFiniteMagnitude
        #expect(WatchLog.graph(of: [-far, 0, far]) == "▁▅█")
        #expect(WatchLog.graph(of: [Double.leastNonzeroMagnitude, 0]).count == 2)
    }

    @Test("what is long is cut in a line, and can't steer a terminal")
    func bounds() {
        var log = WatchLog()
        let line = log.add(
            [value("a", "\u{1B}[2J" + String(repeating: "x", count: 5000))], at: noon, TextStyle())
        #expect(line[0].hasSuffix("x…"))
        #expect(line[0].count < 300)
        #expect(!line[0].contains("\u{1B}"))
    }

    @Test("how it is typed")
    func typed() throws {
        func request(_ line: String) throws -> Request {
            try #require(try CommandLineParser.parse(line))
        }
        let one = try request("watch a.b (c.d + 1) cache[\"x y\"] --every 2s --count 3")
        #expect(one.isHarmless)
        #expect(
            one.parameters["paths"]
                == .array([.string("a.b"), .string("(c.d + 1)"), .string("cache[\"x y\"]")]))
        func repetition(_ request: Request) -> Repetition? {
            var repetition = WatchCommand.repetition(of: request.parameters)
            // Later looks differ from the first one in this alone.
            #expect(repetition?.later?["isLater"] == .bool(true))
            #expect(repetition?.later?["paths"] == request.parameters["paths"])
            repetition?.later = nil
            return repetition
        }
        #expect(repetition(one) == .init(every: .seconds(2), count: 3))
        let usual = try request("watch a.b")
        #expect(
            repetition(usual)
                == .init(every: .milliseconds(500), count: nil))
        let stuck = try request("watch stuck --every 5s")
        #expect(!stuck.isHarmless)
        #expect(WatchCommand.repetition(of: stuck.parameters) == nil)
        #expect(try request("watch stuck off").parameters["off"] == .bool(true))
        for wrong in [
            "watch", "watch stuck of", "watch stuck off now", "watch a --count 0",
            "watch a --every 1ms", "watch stuck --count 3",
            "watch" + String(repeating: " a", count: 17), "watch a --depth 3",
        ] {
            let failure = #expect(throws: CommandFailure.self, "\(wrong)") { try request(wrong) }
            #expect(failure?.code == .usage)
        }
    }
}
