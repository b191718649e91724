import Testing

@testable import TelltaleProtocol

@Suite("Text is escaped for a terminal")
struct EscapedTextTests {
    @Test(
        "what would steer a terminal or reorder a line is escaped",
        arguments: [
            ("\u{0}", "\\0"), ("\u{7}", "\\u{7}"), ("\u{1B}[2J", "\\u{1B}[2J"),
            ("a\nb\r\tc", "a\\nb\\r\\tc"), ("\r\n", "\\r\\n"), ("\u{7F}", "\\u{7F}"),
            ("\u{80}", "\\u{80}"), ("\u{9B}31m", "\\u{9B}31m"), ("\u{85}", "\\u{85}"),
            ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"), ("\u{202A}", "\\u{202A}"),
            ("\u{202E}", "\\u{202E}"), ("\u{2066}\u{2069}", "\\u{2066}\\u{2069}"),
            ("\u{200E}\u{200F}", "\\u{200E}\\u{200F}"), ("\u{61C}", "\\u{61C}"),
            ("\u{FEFF}", "\\u{FEFF}"), ("\u{E0041}", "\\u{E0041}"),
        ])
    func escaped(text: String, safe: String) { #expect(text.escaped == safe) }

    @Test("a quote is escaped between quotes of its kind, wherever it stands", arguments: 0..<18)
    func quoted(place: Int) {
        for (quote, others) in [("\"", "'`"), ("'", "`"), ("`", "'")] as [(Unicode.Scalar, String)]
        {
            for scalar in [quote, "\\", "\n"] + others.unicodeScalars {
                var scalars = [Unicode.Scalar](repeating: "a", count: 18)
                scalars[place] = scalar
                let text = String(String.UnicodeScalarView(scalars))
                let escape =
                    scalar == "\n"
                    ? "\\n" : (scalar == quote || scalar == "\\" ? "\\" : "") + String(scalar)
                let around = String(repeating: "a", count: place)
                let rest = String(repeating: "a", count: 17 - place)
                #expect(
                    Literal.escaped(text, quote: quote)
                        == "\(quote)\(around)\(escape)\(rest)\(quote)")
            }
        }
    }

    @Test(
        "what can be seen stays",
        arguments: ["plain", "Grüße", "写真", "é", "👩‍👩‍👧", "\"a\\n\"", ""])
    func untouched(text: String) { #expect(text.escaped == text) }

    @Test("what a sentence repeats of a request is cut before it is escaped")
    func limited() {
        #expect("a\u{1B}bc".escaped(limit: 2) == "a\\u{1B}")
        #expect("abc".escaped(limit: 3) == "abc")
    }

    @Test("columns are counted as a terminal shows them")
    func columns() {
        #expect("abc".columns == 3)
        #expect("写真".columns == 4)
        #expect("e\u{301}".columns == 1)
        #expect("🙂".columns == 2)
        #expect("…".columns == 1)
    }

    @Test("clipped text says so, and never takes more columns than there are")
    func clipping() {
        #expect("abcdef".clipped(to: 6) == "abcdef")
        #expect("abcdef".clipped(to: 4) == "abc…")
        #expect("写真写真".clipped(to: 4) == "写…")
        #expect("abc".clipped(to: 1) == "…")
        #expect("abc".clipped(to: -3) == "…")
    }
}
