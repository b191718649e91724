import Foundation
import TelltaleProtocol
import TelltaleTestSupport
import Testing

@Suite("Values of types as JSON")
struct JSONCodingTests {
    private enum Shape: Codable, Equatable {
        case point
        case circle(Double, name: String)
    }

    private enum Color: String, Codable { case red, green }

    private struct Everything: Codable, Equatable {
        var bool = true
        var int = Int.min
        var small: [Int8] = [-128, 127]
        var unsigned = UInt64.max
        var shorts: [UInt16] = [0, 65535]
        var double = 0.1
        var float: Float = 0.1
        var string = "é\n"
        var none: Int?
        var some: Int? = 3
        var shapes: [Shape] = [.point, .circle(1.5, name: "c")]
        var color = Color.green
        var byName = ["a": 1, "b": 2]
        var byNumber = [1: "x", -2: "y"]
        var set: Set<Int> = [4]
        var nested: [[Int?]] = [[1, nil], []]
    }

    private class Animal: Codable {
        var legs = 4
        init() {}
    }

    private final class Dog: Animal {
        var name = "Rex"
        private enum CodingKeys: String, CodingKey { case name, tags, home }
        private enum HomeKeys: String, CodingKey { case city }
        override init() { super.init() }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            var tags = try container.nestedUnkeyedContainer(forKey: .tags)
            let first = try tags.decode(String.self)
            var inner = try tags.nestedUnkeyedContainer()
            let number = try inner.decode(Int.self)
            let home = try container.nestedContainer(keyedBy: HomeKeys.self, forKey: .home)
            let city = try home.decode(String.self, forKey: .city)
            try super.init(from: container.superDecoder())
            name = "\(try container.decode(String.self, forKey: .name)) \(first) \(number) \(city)"
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            var home = container.nestedContainer(keyedBy: HomeKeys.self, forKey: .home)
            var tags = container.nestedUnkeyedContainer(forKey: .tags)
            try container.encode(name, forKey: .name)
            try tags.encode("good")
            var inner = tags.nestedUnkeyedContainer()
            try super.encode(to: container.superEncoder())
            try inner.encode(7)
            try home.encode("Ulm", forKey: .city)
        }
    }

    @Test("a value of every kind survives, and Foundation writes the same")
    func everything() throws {
        let value = Everything()
        let json = try JSONValueEncoder.encode(value)
        #expect(try JSONValueDecoder.decode(Everything.self, from: json) == value)
        let foundation = try JSONParser.parse(Array(try JSONEncoder().encode(value)))
        #expect(agree(json, foundation), "\(json.serialized()) \(foundation.serialized())")
        let back = try JSONDecoder().decode(Everything.self, from: Data(json.serializedBytes()))
        #expect(back == value)
        #expect(json["float"] == .double(0.1))
        #expect(json["none"] == nil)
    }

    @Test("nested containers write after they were handed out, as with Foundation")
    func nestedContainers() throws {
        let json = try JSONValueEncoder.encode(Dog())
        #expect(agree(json, try JSONParser.parse(Array(try JSONEncoder().encode(Dog())))))
        #expect(try JSONValueDecoder.decode(Dog.self, from: json).name == "Rex good 7 Ulm")
    }

    @Test("several encode(to:) calls of one encoder share one object")
    func merged() throws {
        struct Twice: Encodable {
            func encode(to encoder: any Encoder) throws {
                try ["kind": "help"].encode(to: encoder)
                try HelpAnswer(lines: ["a"]).encode(to: encoder)
            }
        }
        let json = try JSONValueEncoder.encode(Twice())
        #expect(json.serialized() == #"{"kind":"help","lines":["a"]}"#)
        #expect(try JSONValueEncoder.encode(NoParameters()) == .object([]))
    }

    @Test("members keep the order in which they are encoded, many and few")
    func order() throws {
        struct Many: Encodable {
            func encode(to encoder: any Encoder) throws {
                for round in 0..<2 {
                    var container = encoder.container(keyedBy: Key.self)
                    for index in 0..<100 {
                        try container.encode(index + round, forKey: Key(intValue: index))
                    }
                }
            }
            struct Key: CodingKey {
                var intValue: Int?
                var stringValue: String { "k\(intValue ?? -1)" }
                init(intValue: Int) { self.intValue = intValue }
                init?(stringValue: String) { nil }
            }
        }
        #expect(
            try JSONValueEncoder.encode(Many())
                == .object((0..<100).map { JSONMember("k\($0)", .integer(Int64($0) + 1)) }))
    }

    @Test("JSON values are Codable, here without any loss")
    func values() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<50 {
            let value = RandomJSON.value(&generator)
            #expect(try JSONValueEncoder.encode(["v": value])["v"] == value)
            #expect(try JSONValueDecoder.decode(JSONValue.self, from: value) == value)
        }
    }

    @Test("a number fits a type only when nothing of it is lost")
    func fitting() throws {
        func decode<T: Decodable>(_ type: T.Type, _ value: JSONValue) -> T? {
            try? JSONValueDecoder.decode(type, from: value)
        }
        #expect(decode(Int8.self, .integer(128)) == nil)
        #expect(decode(UInt.self, .integer(-1)) == nil)
        #expect(decode(Int.self, .unsigned(1 << 63)) == nil)
        #expect(decode(Int.self, .double(3)) == 3)
        #expect(decode(Int.self, .double(3.5)) == nil)
        #expect(decode(Int.self, .double(.nan)) == nil)
        #expect(decode(Int.self, .string("3")) == nil)
        #expect(decode(Double.self, .integer(3)) == 3)
        #expect(decode(Float.self, .double(1e300)) == nil)
        #expect(decode(Bool.self, .integer(1)) == nil)
        #expect(decode(String.self, .integer(1)) == nil)
        #expect(decode(Int?.self, .null) == .some(nil))
    }

    @Test("what does not fit is said with its place")
    func sentences() {
        struct Inner: Codable { var items: [Int8] }
        struct Outer: Codable { var inner: Inner }
        func sentence(_ text: String) -> String {
            do {
                let value = try JSONParser.parse(Array(text.utf8))
                _ = try JSONValueDecoder.decode(Outer.self, from: value)
                return "no failure"
            } catch {
                return CommandFailure(decoding: error, "the answer").message
            }
        }
        #expect(
            sentence(#"{"inner":{"items":[1,300]}}"#)
                == "the answer, inner.items[1]: 300 does not fit Int8")
        #expect(
            sentence(#"{"inner":{"items":[1,"x"]}}"#)
                == "the answer, inner.items[1]: expected an integer, found a string")
        #expect(sentence(#"{"inner":{}}"#) == "the answer, inner.items: it is missing")
        #expect(sentence("[]") == "the answer: expected an object, found an array")
        #expect(sentence(#"{"inner":null}"#) == "the answer, inner: expected an object, found null")
    }

    @Test("a number that JSON can't say is refused")
    func notANumber() {
        #expect(throws: EncodingError.self) { try JSONValueEncoder.encode([1, Double.nan]) }
        #expect(throws: EncodingError.self) { try JSONValueEncoder.encode(Float.infinity) }
    }

    @Test("a request with 50,000 members is decoded in a moment", .timeLimit(.minutes(1)))
    func manyMembers() throws {
        let members = (0..<50_000).map { JSONMember("k\($0)", .integer(Int64($0))) }
        let decoded = try JSONValueDecoder.decode([String: Int].self, from: .object(members))
        #expect(decoded.count == 50_000)
    }

    @Test("a typed case is a string, a case without payload, or one with")
    func typedCases() throws {
        #expect(try JSONValueDecoder.decode(Color.self, from: Literal(parsing: ".red")) == .red)
        #expect(try JSONValueDecoder.decode(Shape.self, from: Literal(parsing: ".point")) == .point)
        #expect(
            try JSONValueDecoder.decode(
                Shape.self, from: Literal(parsing: ".circle(2, name: \"x\")"))
                == .circle(2, name: "x"))
        #expect(
            try JSONValueDecoder.decode([Shape].self, from: Literal(parsing: "[.point]")) == [
                .point
            ])
        #expect(throws: DecodingError.self) {
            try JSONValueDecoder.decode(Shape.self, from: JSONValue.string("point"))
        }
        #expect(
            try JSONValueDecoder.decode(Double.self, from: Literal(parsing: "-inf")) == -.infinity)
    }
}
