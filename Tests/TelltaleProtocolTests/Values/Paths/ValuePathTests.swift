import TelltaleProtocol
import TelltaleTestSupport
import Testing

@Suite("Paths")
struct ValuePathTests {
    private func message(_ text: String) -> String {
        do throws(CommandFailure) {
            let path = try ValuePath(parsing: text)
            return "read as \(path)"
        } catch {
            #expect(error.code == .usage)
            return error.message
        }
    }

    @Test(
        "every kind of step is read and described",
        arguments: [
            ("photos", .init(root: .name("photos"))),
            (
                "photos.items[2].title",
                .init(
                    root: .name("photos"),
                    components: [.property("items"), .index(2), .property("title")])
            ),
            ("cache[\"a b\"]", .init(root: .name("cache"), components: [.key(.string("a b"))])),
            (
                "photos.items[100..<200]",
                .init(root: .name("photos"), components: [.property("items"), .range(100..<200)])
            ),
            ("a[3..<3]", .init(root: .name("a"), components: [.range(3..<3)])),
            ("#7.title", .init(root: .handle(7), components: [.property("title")])),
            (
                "pair.0.1",
                .init(root: .name("pair"), components: [.property("0"), .property("1")])
            ),
            ("a[-3]", .init(root: .name("a"), components: [.key(.integer("-3"))])),
            ("a[.red]", .init(root: .name("a"), components: [.key(.enumCase("red", []))])),
            ("a[true]", .init(root: .name("a"), components: [.key(.bool(true))])),
            (
                "a[\"x]\"].b",
                .init(
                    root: .name("a"), components: [.key(.string("x]")), .property("b")])
            ),
            (
                "photo-cache.$x._y",
                .init(
                    root: .name("photo-cache"), components: [.property("$x"), .property("_y")])
            ),
            ("größe.漢字", .init(root: .name("größe"), components: [.property("漢字")])),
            (
                "`com.example/x y`.a",
                .init(
                    root: .name("com.example/x y"), components: [.property("a")])
            ),
            ("`a\\`\\n\\u{9B}`", .init(root: .name("a`\n\u{9B}"))),
            ("``", .init(root: .name(""))), ("`-a`", .init(root: .name("-a"))),
        ] as [(String, ValuePath)])
    func steps(_ text: String, _ path: ValuePath) throws {
        #expect(try ValuePath(parsing: text) == path)
        #expect(path.description == text)
    }

    @Test(
        "other spellings become the canonical one",
        arguments: [
            (" a[ 0x10 ] ", "read as a[16]"),
            ("a[10 ..< 20]", "read as a[10..<20]"), ("a[10...19]", "read as a[10..<20]"),
            ("`a`.`b`", "read as a.b"), ("#007", "read as #7"),
            ("a[9223372036854775808]", "read as a[9223372036854775808]"),
        ])
    func canonical(_ text: String, _ expected: String) throws {
        #expect(message(text) == expected)
    }

    @Test(
        "what can't be read names its column",
        arguments: [
            ("", "column 1 of '': the end instead of a name"),
            ("a.", "column 3 of 'a.': the end instead of a property's name"),
            ("a..b", "column 3 of 'a..b': '.' instead of a property's name"),
            ("a[", "column 3 of 'a[': an index or a key is missing"),
            ("a[]", "column 3 of 'a[]': an index or a key is missing"),
            ("a[1", "column 2 of 'a[1': no ']' closes this"),
            ("a[1 2]", "column 5 of 'a[1 2]': '2' instead of ']'"),
            ("a[b]", "column 3 of 'a[b]': 'b' is not a value"),
            ("a b", "column 3 of 'a b': 'b' instead of '.', '[' or the end"),
            ("a = 1", "column 3 of 'a = 1': '=' instead of '.', '[' or the end"),
            (" a .b", "column 3 of ' a .b': a space in the middle of a path"),
            ("a [1]", "column 2 of 'a [1]': a space in the middle of a path"),
            ("#", "column 1 of '#': a handle is # and a number"),
            ("#x", "column 1 of '#x': a handle is # and a number"),
            (
                "#99999999999999999999",
                "column 1 of '#99999999999999999999': a handle is # and a number"
            ),
            (
                "a[5..<2]",
                "column 3 of 'a[5..<2]': a range goes from 0 or more up to as much or more"
            ),
            (
                "a[-1..<2]",
                "column 3 of 'a[-1..<2]': a range goes from 0 or more up to as much or more"
            ),
            (
                "a[0...9223372036854775807]",
                "column 3 of 'a[0...9223372036854775807]': a range goes from 0 or more up to as much or more"
            ),
            ("a[1..<\"x\"]", "column 3 of 'a[1..<\"x\"]': a range ends with a number"),
            ("`a", "column 1 of '`a': a name begins here and has no end"),
            ("-a", "column 1 of '-a': '-' instead of a name"),
        ])
    func malformed(_ text: String, _ expected: String) {
        #expect(message(text) == expected)
    }

    @Test("steps and length are bounded, exactly")
    func bounds() throws {
        #expect(
            try ValuePath(parsing: "a" + String(repeating: ".b", count: 64)).components.count == 64)
        #expect(message("a" + String(repeating: ".b", count: 65)).contains("the 64 steps"))
        #expect(
            message(String(repeating: "a", count: 4097))
                == "a text of 4,097 bytes, 4,096 are allowed"
        )
        #expect(message("a" + String(repeating: "[", count: 1000)).contains("64 levels"))
    }

    @Test("every path that is read describes itself")
    func anything() throws {
        var generator = SeededGenerator(seed: 9)
        let pieces =
            [
                "a", "photos", "#", "7", ".", "[", "]", "0", "..<", "...", "\"k\"", "\"", "`",
                "`x y`",
            ]
            + [".b", "[1]", "[2..<5]", "[.c]", " ", "-", "$", "é", "\u{202E}", "\\", "nil"]
        var accepted = 0
        for _ in 0..<4000 {
            let count = Int.random(in: 1...7, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }
                .joined()
            guard let path = try? ValuePath(parsing: text) else { continue }
            accepted += 1
            #expect(try ValuePath(parsing: path.description) == path, "\(text)")
        }
        #expect(accepted > 100)
    }
}
