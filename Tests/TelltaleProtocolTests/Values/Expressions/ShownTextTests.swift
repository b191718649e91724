import Testing

@testable import TelltaleProtocol

@Suite("Values that are shown as texts")
struct ShownTextTests {
    private func computed(
        _ text: String, _ values: [ExpressionValue]
    ) throws(ExpressionFailure) -> ExpressionValue {
        guard let expression = try? ValueExpression(parsing: text) else {
            throw ExpressionFailure(.usage, "\(text) can't be parsed")
        }
        return try expression.value { number throws(ExpressionFailure) in values[number] }
    }

    @Test(
        "a moment is what it says, however it is written",
        arguments: [
            ("1970-01-01T00:00:00Z", 0.0), ("1970-01-01", 0), ("1970-01-02 00:00Z", 86_400),
            ("1969-12-31T23:59:59Z", -1), ("2026-11-21T03:12:45Z", 1_795_230_765),
            ("2026-11-21T03:12:45.5Z", 1_795_230_765.5),
            ("2026-11-21T04:12:45+01:00", 1_795_230_765),
            ("2026-11-21T02:42:45-0030", 1_795_230_765), ("2000-02-29", 951_782_400),
            ("0001-01-01T00:00:00Z", -62_135_596_800), ("@1.5", 1.5),
        ])
    func moments(_ text: String, _ seconds: Double) {
        #expect(ShownText(text, type: "Date?").order?.seconds == seconds)
    }

    @Test(
        "what is none is none",
        arguments: [
            "", "2026", "2026-13-01", "2026-11-21T", "2026-11-21T25:00:00Z",
            "2026-11-21T03:12:45.Z",
            "2026-11-21T03:12:45Zx", "2026-11-21T03:12:45+", "@", "@nan", "yesterday",
        ])
    func noMoments(_ text: String) {
        #expect(ShownText(text, type: "Date").order == nil)
    }

    @Test(
        "lengths", arguments: [("26.1 seconds", 26.1), ("1e-06 seconds", 1e-6), ("-3 ms", -0.003)])
    func lengths(_ text: String, _ seconds: Double) {
        #expect(ShownText(text, type: "Atomic<Duration>").order?.seconds == seconds)
        #expect(ShownText("\(text) ago", type: "Duration").order == nil)
    }

    @Test(
        "dates and durations are compared by what they say",
        arguments: [
            ("a > \"1000 seconds\"", "26.1 seconds", "Duration", false),
            ("a < \"1000 seconds\"", "26.1 seconds", "Duration", true),
            ("\"9.0 seconds\" < a", "10.0 seconds", "Duration", true),
            ("a == \"9 seconds\"", "9.0 seconds", "Duration", true),
            ("a > \"2026-11-21T03:12:45Z\"", "2026-11-21T03:12:45.118Z", "Date", true),
            ("a >= \"2026-11-22\"", "2026-11-21T03:12:45.118Z", "Date", false),
            ("a == \"2026-11-21T03:12:45.000Z\"", "2026-11-21T03:12:45Z", "Date", true),
            ("a contains \"2026-11\"", "2026-11-21T03:12:45Z", "Date", true),
            ("a == \"3.5 m\"", "3.5 m", "Measurement<UnitLength>", true),
        ])
    func compared(_ text: String, _ shown: String, _ type: String, _ result: Bool) throws {
        let value = ExpressionValue(scalar: shown, type: type)
        #expect(try computed(text, [value]) == .bool(result))
    }

    @Test(
        "durations are added and subtracted exactly",
        arguments: [
            ("a + b", "0.1 seconds", "0.2 seconds", "0.3 seconds"),
            ("a - b", "10.0 seconds", "0.25 seconds", "9.75 seconds"),
            ("a - b", "0.5 seconds", "1.0 seconds", "-0.5 seconds"),
            ("a + b", "-0.5 seconds", "0.25 seconds", "-0.25 seconds"),
            ("a + b", "1e-06 seconds", "1.0 seconds", "1.000001 seconds"),
        ])
    func lengthsAdded(_ text: String, _ first: String, _ second: String, _ sum: String) throws {
        let values = [first, second].map { ExpressionValue(scalar: $0, type: "Duration") }
        #expect(try computed(text, values) == .shown(ShownText(sum, type: "Duration")))
        #expect(values[0].canBeAdded)
        #expect(throws: ExpressionFailure.self) { _ = try computed("a * b", values) }
        #expect(throws: ExpressionFailure.self) { _ = try computed("a + 1", values) }
    }

    @Test("texts have the order of texts, and what has none is refused")
    func refused() throws {
        for type in ["String", "String?", "Optional<Substring>", "URL", "UUID"] {
            #expect(ExpressionValue(quoted: "\"b\"", type: type) == .string("b"))
        }
        let length = ExpressionValue(scalar: "3.5 m", type: "Measurement<UnitLength>")
        let failure = #expect(throws: ExpressionFailure.self) {
            _ = try computed("a > \"10.0 m\"", [length])
        }
        #expect(
            failure?.message == "texts of type Measurement<UnitLength> have no order here")
        #expect(throws: ExpressionFailure.self) { _ = try length.isBefore(length) }
        let date = ExpressionValue(quoted: "\"2026-11-21T03:12:45Z\"", type: "Date")
        let wrong = #expect(throws: ExpressionFailure.self) {
            _ = try computed("a > \"yesterday\"", [date])
        }
        #expect(wrong?.message == "\"yesterday\" is not a Date, as \"2026-11-21T03:12:45Z\" is")
        let duration = ExpressionValue(scalar: "1.0 seconds", type: "Duration")
        #expect(throws: ExpressionFailure.self) { _ = try computed("a < b", [date, duration]) }
    }

    @Test("wide integers are exact, or none")
    func wide() throws {
        func value(_ number: some BinaryInteger) -> ExpressionValue {
            ExpressionValue(scalar: String(number), type: "Int128")
        }
        let large = value(Int128.max)
        #expect(try computed("a == b", [large, value(Int128.max - 1)]) == .bool(false))
        #expect(try computed("a == b", [large, large]) == .bool(true))
        #expect(try computed("a > b", [large, .double(1e38)]) == .bool(true))
        #expect(try computed("a < b", [large, .double(1e39)]) == .bool(true))
        // None of these ends the process.
        for text in ["a + b", "a * b", "a - b", "-a", "a / b"] {
            #expect(throws: ExpressionFailure.self) {
                _ = try computed(text, [value(Int128.min), value(-1)])
            }
        }
        #expect(ExpressionValue(scalar: String(UInt128.max), type: "UInt128") == .other("UInt128"))
        #expect(throws: ExpressionFailure.self) {
            _ = try computed("a == b", [value(UInt128.max), value(UInt128.max - 1)])
        }
    }

    @Test(
        "a text is in another by its bytes",
        arguments: [
            ("", "", true), ("abc", "", true), ("", "a", false), ("abc", "abc", true),
            ("abc", "abcd", false), ("aabaabaaab", "aabaaab", true),
            ("aabaabaab", "aabaaab", false),
            ("ababac", "abac", true), ("naïve café", "ve caf", true), ("a\r\nb", "\n", true),
        ])
    func search(_ text: String, _ part: String, _ result: Bool) {
        #expect(TextSearch.has(part, in: text) == result)
    }
}
