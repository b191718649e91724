import TelltaleProtocol
import TelltaleTestSupport
import Testing

@Suite("Writing JSON")
struct JSONWriterTests {
    @Test("it is one line, members in their order")
    func line() {
        let value = JSONValue.object([
            JSONMember("b", .array([.integer(1), .double(1), .null])),
            JSONMember("a", .string("x\n\"\\")), JSONMember("e", .object([])),
        ])
        #expect(value.serialized() == #"{"b":[1,1.0,null],"a":"x\n\"\\","e":{}}"#)
    }

    @Test("pretty gives each member and element a line")
    func pretty() {
        let value = JSONValue.object([
            JSONMember("b", .array([.integer(1), .bool(true)])), JSONMember("e", .array([])),
        ])
        #expect(
            value.serialized(pretty: true) == """
                {
                  "b": [
                    1,
                    true
                  ],
                  "e": []
                }
                """)
    }

    @Test("nothing reaches a terminal that it would obey")
    func terminal() throws {
        let string = String(
            String.UnicodeScalarView(
                (0...0xFFFF).compactMap(Unicode.Scalar.init).filter(\.steersTerminal)
                    + ["\u{E0041}"]))
        let written = JSONValue.string(string).serialized()
        #expect(written.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
        #expect(try JSONParser.parse(Array(written.utf8)) == .string(string))
    }

    @Test("what is special is found at every place of a word")
    func places() throws {
        for special in ["\"", "\\", "\u{1F}", "\u{7F}", "\u{9B}", "é", "\u{2028}"] {
            for before in 0..<18 {
                let string =
                    String(repeating: "~", count: before) + special
                    + String(repeating: " ", count: 17 - before)
                let written = JSONValue.string(string).serializedBytes()
                #expect(try JSONParser.parse(written) == .string(string))
            }
        }
    }

    @Test("a Double that is no number is null")
    func notANumber() {
        #expect(JSONValue.array([.double(.nan), .double(.infinity)]).serialized() == "[null,null]")
    }
}
