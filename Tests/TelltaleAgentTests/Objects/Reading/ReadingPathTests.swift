#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleAgent

@Suite("Paths lead to stored values")
struct ReadingPathTests {
    private let everything = Sample.Everything(text: String(repeating: "größe ", count: 9))

    @Test(
        "to every kind of part",
        arguments: [
            ("frame.size.width", "3"), ("array[1]", "2"), ("array.first", "1"),
            ("array.last", "3"), ("array.count", "3"), ("slice[1]", "30"),
            ("empty.isEmpty", "true"), ("dictionary[\"a b\"]", "1"),
            ("numbers[3]", "\"three\""), ("colours[.red]", "1"), ("set[0]", "42"),
            ("tuple.0", "1"), ("tuple.label", "\"two\""), ("tuple.1", "\"two\""),
            ("failed.0", "\"why\""), ("failed.failed", "\"why\""), ("moved.to", "2"),
            ("moved.1", "2"), ("bigShape.c", "3"), ("shape.side", "3.0"),
            ("error.code", "404"), ("round.radius", "2.5"), ("object.radius", "2.5"),
            ("box.list[1][0]", "\"generic\""), ("_clamped.wrappedValue", "33"),
            ("clamped.wrappedValue", "33"), ("optionalShape.side", "1.0"),
            ("strings.last.count", "1"), ("tree.2.1", "6"), ("inline[2]", "9"),
            ("range.lowerBound", "1"), ("some", "8"), ("short.isEmpty", "false"),
            ("frame.type", "Frame.self"), ("anyBig.d", "4"),
        ])
    func leads(_ path: String, _ text: String) throws {
        let node = try ValueReader.usual().read(everything, "x." + path)
        #expect(node.text == text)
        #expect(node.label == nil)
    }

    @Test("a range gives its elements and the whole count")
    func range() throws {
        let node = try ValueReader.usual { $0.elements = 1 }.read(everything, "x.array[1..<3]")
        #expect(node.children.map(\.label) == ["[1]", "[2]"])
        #expect(node.count == 3)
        #expect(node.cut == nil)
    }

    @Test(
        "what is not there is said",
        arguments: [
            ("array[7]", "x.array has no [7]: it has 3 elements"),
            ("array[2..<9]", "x.array has no [2..<9]: it has 3 elements"),
            ("empty.first", "x.empty has no .first: it has 0 elements"),
            ("none.x", "x.none is nil"), ("frame.note.count", "x.frame.note is nil"),
            ("colours[.green]", "x.colours has no key [.green]: it has 1 entry"),
            ("int[3]", "x.int has no [3]: Int is not a collection"),
            ("state.0", "x.state is .waiting, which carries nothing"),
            (
                "mutex.value",
                "x.mutex (Int) has no stored property 'value'"
            ),
        ])
    func missing(_ path: String, _ message: String) throws {
        let failure = #expect(throws: CommandFailure.self) {
            try ValueReader.usual().read(everything, "x." + path)
        }
        #expect(failure?.message == message)
        #expect(failure?.code == .notFound)
    }

    @Test("an unknown property comes with the nearest names")
    func nearest() throws {
        let failure = #expect(throws: CommandFailure.self) {
            try ValueReader.usual().read(everything, "x.fram")
        }
        #expect(failure?.message.contains("has no stored property 'fram'") == true)
        #expect(failure?.message.contains("Everything") == true)
        #expect(failure?.hint?.contains("frame") == true)
    }

    @Test("a key is found in a large dictionary")
    func largeDictionary() throws {
        let names = Dictionary(uniqueKeysWithValues: (0..<20_000).map { ("key \($0)", $0) })
        let path = try ValuePath(parsing: "x[\"key 17321\"]").components
        let node = try ValueReader.usual().read(.value(names), rootName: "x", path: path)
        #expect(node.text == "17321")
    }

    @Test("the root can be any value")
    func values() throws {
        let reader = ValueReader.usual()
        let roots: [Any] = [12, "text", [1, 2], ["a": (1, 2)], Sample.Big(), Sample.Failure()]
        for root in roots {
            let node = try reader.read(.value(root), rootName: "x", path: [])
            #expect(ReadingOracle.text(of: node) == ReadingOracle.text(of: root))
        }
        let nothing: Int? = nil
        let node = try reader.read(.value(nothing as Any), rootName: "x", path: [])
        #expect(node.kind == .none)
    }

    @Test("an object is named by the way to it")
    func handles() throws {
        let person = Sample.Person()
        let dog = Sample.Animal(legs: 4, name: "Rex")
        person.pets = [dog, dog]
        let handles = HandleTable()
        let node = try ValueReader.usual(handles: handles).read(person)
        let pets = try #require(node.children.first { $0.label == "pets" })
        #expect(pets.children.map(\.kind) == [.object, .reference])
        let handle = try #require(pets.children[0].handle)
        #expect(pets.children[1].handle == handle)
        let place = try #require(handles.place(of: handle))
        #expect(place.path == [.property("pets"), .index(0)])
        #expect(place.typeName == "Animal")
        try place.verify(in: .object(person), masks: MaskPolicy(additionalNames: []))
        let range = try ValueReader.usual(handles: handles).read(person, "x.pets[1..<2]")
        let second = try #require(range.children.first?.handle)
        #expect(handles.place(of: second)?.path == [.property("pets"), .index(1)])
    }

    @Test("what can follow is offered")
    func completions() throws {
        let reader = ValueReader.usual()
        func names(_ path: String, _ prefix: String, max: Int = 20) throws -> [String] {
            reader.completions(
                of: .object(everything), rootName: "x",
                path: try ValuePath(parsing: path).components,
                prefix: prefix, max: max
            ).map(\.text)
        }
        #expect(try names("x", "sh") == ["short", "shape", "shapes"])
        #expect(try names("x", "", max: 3) == ["int", "small", "wide"])
        #expect(
            try names("x.array", "") == ["count", "isEmpty", "first", "last", "min", "max", "sum"])
        #expect(try names("x.array", "[", max: 2) == ["[0]", "[1]"])
        #expect(try names("x.dictionary", "[\"a") == ["[\"a b\"]"])
        #expect(try names("x.moved", "") == ["from", "to"])
        #expect(try names("x.frame.size", "w") == ["width"])
        #expect(try names("x.bool", "=") == ["false", "true"])
        #expect(try names("x.moved", "=").contains(".moved("))
        #expect(try names("x.int", "=") == [])
        #expect(try names("x.none", "") == [])
        #expect(try names("x.nothing", "") == [])
    }
}
#endif
