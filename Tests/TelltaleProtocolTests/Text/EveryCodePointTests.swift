import Foundation
import TelltaleTestSupport
import Testing

@testable import TelltaleProtocol

@Suite("No code point of another's steers a terminal, in any field of any answer")
struct EveryCodePointTests {
    /// Written from the list of what must not pass, and not from the escaper.
    private static func isForbidden(_ value: UInt32) -> Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0: true
        case 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x061C, 0x2028, 0x2029, 0xFEFF: true
        case 0x202A...0x202E, 0x2066...0x2069, 0xE0000...0xE007F: true
        default: false
        }
    }

    /// Code points that are no plain letters, numbers, marks, signs or private ones, with neighbours.
    private static let suspects: String = {
        var view = String.UnicodeScalarView()
        for value: UInt32 in 0...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator:
                view.append(scalar)
            default: if isForbidden(value) || value < 0x80 { view.append(scalar) }
            }
        }
        return String(view)
    }()

    /// Every code point, in pieces that are handled quickly.
    private static let everything: [(start: UInt32, text: String)] =
        stride(from: UInt32(0), to: 0x110000, by: 0x8000).map { start in
            var view = String.UnicodeScalarView()
            for value in start..<start + 0x8000 {
                if let scalar = Unicode.Scalar(value) { view.append(scalar) }
            }
            return (start, String(view))
        }

    /// Returns forbidden scalars in written text: all but the line's end and, with colour, a
    /// style's own sequences.
    static func leaks(in text: String, color: Bool) -> [String] {
        var text = text
        if color {
            for code in ["0", "1", "2", "31", "33"] {
                text = text.replacing("\u{1B}[\(code)m", with: "")
            }
        }
        return text.unicodeScalars.filter { $0 != "\n" && isForbidden($0.value) }
            .map { String($0.value, radix: 16) }
    }

    /// A document with a text in the place of one of its strings.
    private static func replacing(
        _ value: JSONValue, _ probe: String, at wanted: inout Int
    ) -> JSONValue {
        switch value {
        case .string:
            wanted -= 1
            return wanted == -1 ? .string(probe) : value
        case .array(let elements):
            return .array(elements.map { replacing($0, probe, at: &wanted) })
        case .object(let members):
            return .object(
                members.map { JSONMember($0.key, replacing($0.value, probe, at: &wanted)) })
        default: return value
        }
    }

    private static func strings(in value: JSONValue) -> Int {
        switch value {
        case .string: 1
        case .array(let elements): elements.reduce(0) { $0 + strings(in: $1) }
        case .object(let members): members.reduce(0) { $0 + strings(in: $1.value) }
        default: 0
        }
    }

    /// All ways in which an answer is written.
    private static func check(_ answer: any CommandAnswer, _ place: String) throws {
        for style in [TextStyle(), TextStyle(color: true, width: 40)] {
            let text = TerminalText(answer, style).text
            #expect(leaks(in: text, color: style.color) == [], "\(place)")
        }
        let json = TerminalText(json: try answer.result()).text
        #expect(leaks(in: json, color: false) == [], "\(place)")
    }

    @Test("every field of every answer, as text, with colour and as JSON")
    func fields() throws {
        var kinds: Set<String> = []
        for document in HostileAnswerTests.results {
            let all = Self.strings(in: document)
            for index in 0..<all {
                var wanted = index
                let changed = Self.replacing(document, Self.suspects, at: &wanted)
                // The kind of the answer and of a few fields takes only its own words.
                guard let answer = try? AnyAnswer.read(changed) else {
                    continue
                }
                kinds.insert(answer.kind)
                try Self.check(answer, "\(answer.kind) \(index)")
            }
        }
        // One of each kind.
        #expect(kinds == AnyAnswer.kinds)
    }

    @Test("every code point there is, through what all of them pass")
    func everyCodePoint() throws {
        let isSoak = ProcessInfo.processInfo.environment["TELLTALE_SOAK"] == "1"
        for (start, piece) in Self.everything {
            let lines = TerminalText(lines: [piece, piece])
            #expect(Self.leaks(in: lines.text, color: false) == [])
            #expect(lines.text.utf8.count { $0 == 10 } == 2)
            // A text escaped as a literal is the same text when it is read again.
            let quoted = Literal.quoted(piece)
            #expect(Self.leaks(in: quoted, color: false) == [])
            let json = TerminalText(json: .string(piece)).text
            #expect(Self.leaks(in: json, color: false) == [])
            // The planes in which nothing is assigned are of one sort.
            guard isSoak || start < 0x30000 || start == 0xE0000 else { continue }
            #expect(try Literal(parsing: quoted) == .string(piece))
            #expect(try JSONParser.parse(Array(json.utf8)) == .string(piece))
            let node = ValueNode(label: piece, type: "T", kind: .scalar, text: piece, note: piece)
            try Self.check(
                ValueAnswer(path: "p", value: node, owner: piece, read: piece), "value")
            try Self.check(
                DumpAnswer(id: 1, time: "t", lines: [piece], missing: 0, file: nil), "dump")
            let failure = CommandFailure(.notFound, piece, hint: piece)
            for style in [TextStyle(), TextStyle(color: true)] {
                #expect(Self.leaks(in: TerminalText(failure, style).text, color: style.color) == [])
            }
        }
    }

    @Test("what looks like a style of ours is none when another wrote it")
    func forgedStyle() {
        for text in ["\u{1B}[1m", "\u{1B}[31mred", "\u{1B}[0m", "\u{1B}[;1m", "\u{1B}[00;31m"] {
            #expect(!TerminalText(lines: [text]).text.unicodeScalars.contains("\u{1B}"))
            let node = ValueNode(type: text, kind: .structure)
            let answer = ValueAnswer(path: text, value: node, owner: text, read: text)
            let shown = TerminalText(answer, TextStyle(color: true)).text
            // The label alone is painted: one sequence before it and one behind.
            #expect(shown.unicodeScalars.count { $0 == "\u{1B}" } == 2, "\(shown.debugDescription)")
        }
        let bold = TextStyle(color: true).painted("x", .bold)
        #expect(TerminalText(lines: [bold]).text == "\u{1B}[1mx\u{1B}[0m\n")
    }

    @Test("the joiner stays within an emoji, and nowhere else")
    func joiner() {
        for emoji in ["👩‍👩‍👧", "❤️‍🔥", "👩🏽‍⚕️", "🏳️‍🌈", "a 👨‍💻 b"] { #expect(emoji.escaped == emoji) }
        for text in ["a\u{200D}b", "\u{200D}👩", "👩\u{200D}", "1\u{200D}2", "👩\u{200D}\u{200D}👧"] {
            #expect(text.escaped.contains("\\u{200D}"), "\(text)")
            #expect(!text.escaped.unicodeScalars.contains("\u{200D}"))
        }
    }

    @Test("an unpaired surrogate is no text, however it is written")
    func surrogates() {
        for text in [#""\ud800""#, #""\udc00x""#, #""\ud800\ud800""#, #""a\udfff""#] {
            let value = try? JSONParser.parse(Array(text.utf8))
            guard case .string(let read)? = value else { continue }
            #expect(read.unicodeScalars.contains("\u{FFFD}"))
        }
    }
}
