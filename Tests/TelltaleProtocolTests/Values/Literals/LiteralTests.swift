import TelltaleProtocol
import TelltaleTestSupport
import Testing

@Suite("Values as they are typed")
struct LiteralTests {
    private func message(_ text: String) -> String {
        do throws(CommandFailure) {
            let literal = try Literal(parsing: text)
            return "read as \(literal)"
        } catch {
            #expect(error.code == .usage)
            return error.message
        }
    }

    @Test(
        "Swift's spelling is read",
        arguments: [
            ("nil", .null), (" true ", .bool(true)), ("false", .bool(false)),
            ("12", .integer("12")),
            ("-12", .integer("-12")), ("+1", .integer("1")), ("1_000_000", .integer("1000000")),
            ("007", .integer("7")), ("0", .integer("0")), ("0xFF", .integer("255")),
            ("-0x8000_0000_0000_0000", .integer("-9223372036854775808")),
            ("0b1010", .integer("10")), ("0o17", .integer("15")),
            (
                "123456789012345678901234567890123456789012",
                .integer(
                    "123456789012345678901234567890123456789012")
            ),
            ("1.5", .float("1.5")), ("-1_0.2_5e-3", .float("-10.25e-3")), ("1e3", .float("1e3")),
            ("0x1.8p1", .float("0x1.8p1")), ("inf", .float("inf")), ("-inf", .float("-inf")),
            ("nan", .float("nan")),
            (#""a\n\t\r\0\"\'\\\u{1F600}""#, .string("a\n\t\r\0\"'\\😀")),
            (".done", .enumCase("done", [])), (".`default`", .enumCase("default", [])),
            (
                ".circle(1.5, name: \"x\")",
                .enumCase(
                    "circle",
                    [
                        .init(value: .float("1.5")), .init(label: "name", value: .string("x")),
                    ])
            ),
            ("[]", .array([])), ("[ 1, .a, ]", .array([.integer("1"), .enumCase("a", [])])),
            ("[:]", .dictionary([])), ("[ : ]", .dictionary([])),
            (
                "[\"a\": 1, 2: nil]",
                .dictionary([
                    .init(key: .string("a"), value: .integer("1")),
                    .init(key: .integer("2"), value: .null),
                ])
            ),
            ("()", .tuple([])), ("(1)", .integer("1")),
            (
                "(1, in: true)",
                .tuple([.init(value: .integer("1")), .init(label: "in", value: .bool(true))])
            ),
        ] as [(String, Literal)])
    func swift(_ text: String, _ literal: Literal) throws {
        #expect(try Literal(parsing: text) == literal)
    }

    @Test(
        "JSON's spelling is read",
        arguments: [
            ("null", .null), ("-1.5E+3", .float("-1.5e3")), ("{}", .dictionary([])),
            (
                #"{ "k": [1, {"n": null}], "é\/\b\f\u00e9\ud83d\ude00": false }"#,
                .dictionary([
                    .init(
                        key: .string("k"),
                        value: .array([
                            .integer("1"), .dictionary([.init(key: .string("n"), value: .null)]),
                        ])),
                    .init(key: .string("é/\u{8}\u{C}é😀"), value: .bool(false)),
                ])
            ),
        ] as [(String, Literal)])
    func json(_ text: String, _ literal: Literal) throws {
        #expect(try Literal(parsing: text) == literal)
    }

    @Test("any JSON text is read as the JSON value that it is")
    func anyJSON() throws {
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<200 {
            let value = RandomJSON.value(&generator)
            let literal = try Literal(parsing: value.serialized(pretty: true))
            #expect(agree(literal.jsonValue, value), "\(value.serialized())")
            #expect(try Literal(parsing: literal.description) == literal)
        }
    }

    @Test(
        "what can't be read names its column and what to write instead",
        arguments: [
            ("", "column 1 of '': the end instead of a value"),
            ("done", "column 1 of 'done': 'done' is not a value"),
            ("[1, 2", "column 1 of '[1, 2': no ']' closes this"),
            ("[1 2]", "column 4 of '[1 2]': '2' instead of ',' or ']'"),
            (
                "[\"a\": 1, 2]",
                "column 11 of '[\"a\": 1, 2]': ']' instead of ':' between a key and its value"
            ),
            ("\"é", "column 1 of '\"é': a string begins here and has no end"),
            ("\"é\\x\"", "column 3 of '\"é\\\\x\"': no such escape"),
            ("\"\\u{110000}\"", "column 2 of '\"\\\\u{110000}\"': no such character"),
            ("\"\\u{}\"", "column 2 of '\"\\\\u{}\"': no such character"),
            ("\"\\ud800\"", "column 2 of '\"\\\\ud800\"': no such character"),
            (
                "\"\\(1)\"",
                "column 2 of '\"\\\\(1)\"': a value can't be computed: \\( is not known here"
            ),
            ("1 2", "column 3 of '1 2': '2' after the value"),
            (".5", "column 1 of '.5': a case has a name after its dot"),
            ("1.", "column 1 of '1.': not a number"), ("12a", "column 1 of '12a': not a number"),
            ("0x", "column 1 of '0x': not a number"), ("0b12", "column 1 of '0b12': not a number"),
            ("-", "column 1 of '-': not a number"), ("1e", "column 1 of '1e': not a number"),
            ("1.2.3", "column 1 of '1.2.3': not a number"),
            ("1e999", "column 1 of '1e999': a number that no Double can hold"),
            ("“a”", "column 1 of '“a”': '“' instead of a value"),
            ("f(1)", "column 1 of 'f(1)': 'f' is not a value"),
            ("\u{9B}", "column 1 of '\\u{9B}': '\\u{9B}' instead of a value"),
        ])
    func malformed(_ text: String, _ expected: String) {
        #expect(message(text) == expected)
    }

    @Test("a forgotten quote is explained")
    func hints() {
        #expect(throws: CommandFailure.self) { try Literal(parsing: "done") }
        do throws(CommandFailure) {
            _ = try Literal(parsing: "done")
        } catch {
            #expect(error.hint == "Write \"done\" for a string, .done for a case.")
        }
    }

    @Test("nesting and length are bounded, exactly")
    func bounds() throws {
        func nested(_ depth: Int, _ open: String = "[", _ close: String = "]") -> String {
            String(repeating: open, count: depth) + String(repeating: close, count: depth)
        }
        _ = try Literal(parsing: nested(64))
        #expect(message(nested(65)).contains("more than the 64 levels"))
        for open in ["[", "{", "(", ".a(", "[1:", "(a:", "[.a("] {
            #expect(message(String(repeating: open, count: 100_000)).contains("64 levels"))
        }
        let long = "\"" + String(repeating: "x", count: Literal.maximumBytes) + "\""
        #expect(message(long) == "a text of 1,048,578 bytes, 1,048,576 are allowed")
    }

    @Test("arguments stand between the parentheses, with labels or without")
    func arguments() throws {
        #expect(try Literal.arguments(parsing: "  ") == [])
        #expect(
            try Literal.arguments(parsing: "1, for: .a, nil: nil, (2, 3), ")
                == [
                    .init(value: .integer("1")), .init(label: "for", value: .enumCase("a", [])),
                    .init(label: "nil", value: .null),
                    .init(
                        value: .tuple([.init(value: .integer("2")), .init(value: .integer("3"))])),
                ])
        #expect(throws: CommandFailure.self) { try Literal.arguments(parsing: "1 2") }
        #expect(throws: CommandFailure.self) { try Literal.arguments(parsing: "1)") }
        #expect(throws: CommandFailure.self) { try Literal.arguments(parsing: ", 1") }
        #expect(throws: CommandFailure.self) { try Literal.arguments(parsing: "a:") }
    }

    @Test("as JSON it is what Decodable types expect")
    func jsonValue() throws {
        func json(_ text: String) throws -> String {
            try Literal(parsing: text).jsonValue.serialized()
        }
        #expect(try json("0xFFFF_FFFF_FFFF_FFFF") == "18446744073709551615")
        #expect(try json("18446744073709551616") == "1.8446744073709552e+19")
        #expect(try json("[1: .a, 2: .b(1, x: 2)]") == #"{"1":"a","2":{"b":{"_0":1,"x":2}}}"#)
        #expect(try json("[true: 1]") == "[true,1]")
        #expect(try json("(x: 1, y: 2)") == #"{"x":1,"y":2}"#)
        #expect(try json("(1, y: 2)") == "[1,2]")
        #expect(try json("()") == "[]")
        #expect(try Literal(parsing: "inf").jsonValue == .double(.infinity))
    }

    @Test(
        "a whole number with a fraction or an exponent is that number, though a Double rounds it",
        arguments: [
            ("9007199254740993.0", Int64(9_007_199_254_740_993)),
            ("-9007199254740993.000", -9_007_199_254_740_993),
            ("9007199254740993e0", 9_007_199_254_740_993),
            ("9.007199254740993e15", 9_007_199_254_740_993),
            ("90071992547409930e-1", 9_007_199_254_740_993),
            ("0x20000000000001.0p0", 9_007_199_254_740_993),
            ("0x1.00000000000008p53", 9_007_199_254_740_993),
            ("0x40000000000002p-1", 9_007_199_254_740_993),
            ("9223372036854775807.0", .max), ("-9223372036854775808.0", .min),
            ("12.0", 12), ("1e3", 1000), ("-0.0", 0),
        ])
    func wholeNumbers(text: String, number: Int64) throws {
        let literal = try Literal(parsing: text)
        #expect(try JSONValueDecoder.decode(Int64.self, from: literal) == number)
        #expect(try JSONValueDecoder.decode(Double.self, from: literal) == Double(text))
    }

    @Test(
        "a number that is not whole, or too large, is no integer",
        arguments: [
            "1.5", "9223372036854775808.0", "-9223372036854775809.0", "1e19", "1e300", "inf",
        ])
    func noWholeNumbers(text: String) throws {
        let literal = try Literal(parsing: text)
        #expect(throws: (any Error).self) {
            try JSONValueDecoder.decode(Int64.self, from: literal)
        }
        #expect(try JSONValueDecoder.decode(Double.self, from: literal) == Double(text))
    }

    @Test("the largest unsigned number keeps its last digit")
    func largestUnsigned() throws {
        let literal = try Literal(parsing: "18446744073709551615.0")
        #expect(try JSONValueDecoder.decode(UInt64.self, from: literal) == .max)
    }

    @Test("a quoted string is one safe line and reads back as itself")
    func quoted() throws {
        #expect(Literal.quoted("a\"\\\n\r\t\0\u{1B}") == #""a\"\\\n\r\t\0\u{1B}""#)
        #expect(Literal.quoted("\u{9B}\u{202E}\u{2028}é😀") == #""\u{9B}\u{202E}\u{2028}é😀""#)
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            let string = RandomJSON.string(&generator)
            let quoted = Literal.quoted(string)
            #expect(quoted == quoted.escaped)
            #expect(try Literal(parsing: quoted) == .string(string))
        }
    }

    @Test("sentences can say what it is")
    func kinds() throws {
        let kinds = try ["nil", "true", "1", "1.5", "\"\"", ".a(1)", "[]", "[:]", "()"].map {
            try Literal(parsing: $0).typeDescription
        }
        #expect(
            kinds == [
                "nil", "a Bool", "an Int", "a Double", "a String", "the case .a", "an array",
                "a dictionary", "a tuple",
            ])
    }

    @Test("whatever is typed is read or refused, and what is read describes itself")
    func anything() throws {
        var generator = SeededGenerator(seed: 8)
        let pieces =
            ["nil", "true", "a", ".a", "1", "-", "0x", "1.5", "e", "\"", "\\", "\\u{", "}", "{"]
            + ["[", "]", "(", ")", ":", ",", " ", "`", "..<", "_", "\u{0}", "\u{301}", "😀", "inf"]
        var accepted = 0
        for _ in 0..<3000 {
            let count = Int.random(in: 1...8, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }
                .joined()
            guard let literal = try? Literal(parsing: text) else { continue }
            accepted += 1
            #expect(try Literal(parsing: literal.description) == literal, "\(text)")
        }
        #expect(accepted > 50)
    }
}
