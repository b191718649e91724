import Foundation
import TelltaleProtocol
import TelltaleTestSupport
import Testing

@Suite("Reading JSON")
struct JSONParserTests {
    private func parse(_ text: String, limits: JSONLimits = .init()) throws -> JSONValue {
        try JSONParser.parse(Array(text.utf8), limits: limits)
    }

    private func refusal(_ bytes: [UInt8], limits: JSONLimits = .init()) -> JSONFailure? {
        do throws(JSONFailure) {
            _ = try JSONParser.parse(bytes, limits: limits)
            return nil
        } catch {
            return error
        }
    }

    @Test("every form of a value is read")
    func forms() throws {
        #expect(try parse(" null ") == .null)
        #expect(try parse("[true,false]") == .array([.bool(true), .bool(false)]))
        #expect(try parse("[ ]") == .array([]))
        #expect(try parse("{ }") == .object([]))
        #expect(
            try parse(#"{"b": 1, "a": {"c": [-1]}}"#)
                == .object([
                    JSONMember("b", .integer(1)),
                    JSONMember("a", .object([JSONMember("c", .array([.integer(-1)]))])),
                ]))
        #expect(
            try parse(#""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00é😀""#)
                == .string("\"\\/\u{8}\u{C}\n\r\té😀é😀"))
        #expect(
            try parse("\"0123456789 long enough for two steps\"")
                == .string("0123456789 long enough for two steps"))
    }

    @Test("integers keep all 64 bits, and other numbers become the nearest Double")
    func numbers() throws {
        #expect(try parse("0") == .integer(0))
        #expect(try parse("9223372036854775807") == .integer(.max))
        #expect(try parse("-9223372036854775808") == .integer(.min))
        #expect(try parse("9223372036854775808") == .unsigned(1 << 63))
        #expect(try parse("18446744073709551615") == .unsigned(.max))
        #expect(try parse("18446744073709551616") == .double(18446744073709551616))
        #expect(try parse("-9223372036854775809") == .double(-9223372036854775808))
        #expect(try parse("1.0") == .double(1))
        #expect(try parse("1e2") == .double(100))
        #expect(try parse("-1.5E-3") == .double(-0.0015))
        #expect(try parse("1e-400") == .double(0))
        guard case .double(let zero) = try parse("-0") else {
            Issue.record("minus zero is no double")
            return
        }
        #expect(zero.sign == .minus)
    }

    @Test(
        "what is no JSON fails at its first wrong byte",
        arguments: [
            ("", 0), (" ", 1), ("nul", 3), ("nulL", 3), ("tru e", 3), ("[1,]", 3), ("[1", 2),
            ("[1 2]", 3), ("{\"a\"}", 4), ("{\"a\":1,}", 7), ("{a:1}", 1), ("01", 1), ("-", 1),
            ("+1", 0), (".5", 0), ("1.", 2), ("1.e3", 2), ("1e", 2), ("1e+", 3), ("0x10", 1),
            ("NaN", 0), ("1 1", 2), ("\"a", 2), ("\"a\nb\"", 2), ("\"\\x\"", 2), ("\"\\", 2),
            ("\"\\u12G4\"", 5), ("\"\\ud800\"", 1), ("\"\\udc00\"", 1), ("\"\\ud800\\u0041\"", 1),
            ("'a'", 0), ("\u{FEFF}1", 0), ("[1]\u{0}", 3), ("1e999", 0), ("[}", 1), ("{]", 1),
        ])
    func malformed(_ text: String, _ offset: Int) throws {
        let failure = try #require(refusal(Array(text.utf8)), "\(text) was read")
        #expect(failure.offset == offset, "\(failure)")
    }

    @Test(
        "bytes that are no UTF-8 are told apart, with their place",
        arguments: [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
            [0x80], [0xC3],
        ] as [[UInt8]])
    func invalidUTF8(_ bytes: [UInt8]) throws {
        let failure = try #require(refusal(Array("[\"é ".utf8) + bytes + Array("\"]".utf8)))
        #expect(failure == JSONFailure(offset: 5, message: "a string is not valid UTF-8"))
    }

    @Test("nesting and length are bounded, exactly")
    func bounds() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try parse(nested(64))
        #expect(refusal(Array(nested(65).utf8))?.offset == 64)
        let bomb = String(repeating: "{\"a\":[", count: 500_000)
        #expect(refusal(Array(bomb.utf8))?.message.contains("64 levels") == true)
        #expect(try parse("[1]", limits: JSONLimits(maximumBytes: 3)) == .array([.integer(1)]))
        let tooLong = refusal(Array("[1] ".utf8), limits: JSONLimits(maximumBytes: 3))
        #expect(tooLong?.message.contains("4 bytes") == true)
    }

    @Test("the depth of an answer fits the stack of a thread", .timeLimit(.minutes(1)))
    func deepAnswer() async throws {
        let depth = JSONLimits.answer.maximumDepth
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let done = await withCheckedContinuation { continuation in
            let thread = Thread {
                let value = try? JSONParser.parse(Array(text.utf8), limits: .answer)
                continuation.resume(returning: value?.serialized() == text)
            }
            thread.stackSize = 512 << 10
            thread.start()
        }
        #expect(done)
    }

    @Test("of several members of one name the last counts")
    func duplicates() throws {
        let value = try parse(#"{"a":1,"a":2}"#)
        #expect(value["a"] == .integer(2))
        #expect(try JSONValueDecoder.decode([String: Int].self, from: value) == ["a": 2])
    }

    @Test("whatever is written is read back the same", arguments: [false, true])
    func roundTrip(pretty: Bool) throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<400 {
            let value = RandomJSON.value(&generator)
            #expect(try JSONParser.parse(value.serializedBytes(pretty: pretty)) == value)
        }
    }

    @Test("Foundation reads what is written")
    func foundationReads() throws {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<200 {
            let value = RandomJSON.value(&generator)
            let other = try JSONDecoder().decode(
                JSONValue.self, from: Data(value.serializedBytes()))
            #expect(agree(value, other), "\(value.serialized())")
        }
    }

    @Test("what Foundation writes is read")
    func readsFoundation() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            let value = RandomJSON.value(&generator)
            let written = try JSONEncoder().encode(value)
            #expect(agree(value, try JSONParser.parse(Array(written))))
        }
    }

    @Test("on damaged texts the verdict and the value are Foundation's")
    func damaged() throws {
        var generator = SeededGenerator(seed: 4)
        let bytes = Array("{}[]\":,\\u0d8-+.eE019tfn \u{1}x".utf8) + [0x80, 0xC3, 0xE2, 0xFF]
        var accepted = 0
        for _ in 0..<1500 {
            var text = RandomJSON.value(&generator, depth: 2).serializedBytes()
            for _ in 0..<Int.random(in: 1...2, using: &generator) where !text.isEmpty {
                let place = Int.random(in: 0..<text.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: text.remove(at: place)
                case 1: text.insert(bytes.randomElement(using: &generator) ?? 0x20, at: place)
                default: text[place] = bytes.randomElement(using: &generator) ?? 0x20
                }
            }
            // The one thing in which Foundation is looser: a comma before the end of an array.
            if String(decoding: text, as: UTF8.self).contains(/,\s*\]/) { continue }
            let ours = try? JSONParser.parse(text)
            let theirs = try? JSONDecoder().decode(JSONValue.self, from: Data(text))
            let shown = String(decoding: text, as: UTF8.self)
            if let ours, let theirs {
                accepted += 1
                #expect(agree(ours, theirs), "\(shown)")
            } else {
                #expect((ours == nil) == (theirs == nil), "\(shown), ours: \(ours as Any)")
            }
        }
        // Otherwise nothing was compared.
        #expect(accepted > 100)
    }
}
