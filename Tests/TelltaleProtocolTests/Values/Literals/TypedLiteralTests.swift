import Testing

@testable import TelltaleProtocol

@Suite("What is typed for a type that is known")
struct TypedLiteralTests {
    @Test(
        "names, ranges, paths and spellings are read where a plain value has none",
        arguments: [
            ("Point(x: 3.0, y: 2.5)", "Point(x: 3.0, y: 2.5)"), ("Mood.busy(1)", "Mood.busy(1)"),
            ("Wrapped<[Int: String]>(value: [:])", "Wrapped<[Int: String]>(value: [:])"),
            ("1..<10", "1..<10"), ("1 ... 3", "1...3"), ("2...", "2..."), ("..<4", "..<4"),
            ("[1...2, 3...]", "[1...2, 3...]"), ("#7", "#7"), ("#7.next", "#7.next"),
            ("photos.items[2]", "photos.items[2]"), ("[photos, #7]", "[photos, #7]"),
            ("3.0 seconds", "3.0 seconds"), ("[1.5 s, 2 ms]", "[1.5 s, 2 ms]"),
            ("2026-11-23T04:00:00Z", "2026-11-23T04:00:00Z"),
            ("(at: 2026-11-23T04:00:00Z, n: 1)", "(at: 2026-11-23T04:00:00Z, n: 1)"),
            ("[2026-11-23: 1]", "[2026-11-23: 1]"), ("nil", "nil"), ("-inf", "-inf"),
        ])
    func spellings(text: String, expected: String) throws {
        #expect(try TypedLiteral(parsing: text).literal.description == expected)
    }

    @Test(
        "a value for no type stays what it was",
        arguments: ["Point(x: 1)", "1..<10", "#7", "a.b", "3 s"])
    func plain(text: String) {
        #expect(throws: CommandFailure.self) { try Literal(parsing: text) }
    }

    @Test(
        "each value inside is found by its number",
        arguments: [
            ("[1, (2), [3]]", 2, 6), ("[1, (2), [3]]", 3, 10), ("[1, (2), [3]]", 4, 11),
            ("(a: 1, b: .c(2))", 3, 14), ("[1: 2, 3: 4]", 4, 11), ("[1..<2, 3]", 2, 2),
            ("[1..<2, 3]", 3, 6), ("[1..<2, 3]", 4, 9), ("P(x: 1, y: [2])", 3, 13),
        ])
    func places(text: String, number: Int, column: Int) throws {
        let typed = try TypedLiteral(parsing: text)
        let failure = typed.marking(CommandFailure(.wrongType, "no"), at: number)
        #expect(failure.message == "column \(column): no")
        #expect(typed.literal.size > number)
    }
}
