#if TELLTALE_AGENT
import TelltaleProtocol
import Testing

@testable import TelltaleAgent

@Suite("Dictionaries and sets are read with all that an entry needs")
struct ReadingTablesTests {
    private final class Part { let size = 1 }
    private enum Colour { case red, green }
    private struct Place: Hashable { let x, y: Int }

    private final class Tables {
        let byText = ["a b": Part()]
        let byNumber = [7: Part()]
        let byLargeNumber = [12_345_678_901: Part()]
        let byNegative = [-3: Part()]
        let byCase = [Colour.green: Part()]
        let byPlace = [Place(x: 1, y: 2): Part()]
        let byURL = ["https://u:SECRET@host/": Part()]
        let parts: Set<ObjectIdentifier> = [ObjectIdentifier(Part.self)]
        let nested = ["a": ["b": [3: Part()]]]
        var texts = ["tokens": "SECRET"]
        var numbers = ["tokens": 3]
        var pair = ["name": "Authorization", "value": "SECRET"]
        var harmless = ["name": "Host", "value": "shown"]
        var many = Dictionary(uniqueKeysWithValues: (0..<10_000).map { ($0, $0) })
    }

    private func read(_ path: String) throws -> (node: ValueNode, handles: HandleTable) {
        let handles = HandleTable()
        let tables = Tables()
        return try withExtendedLifetime(tables) {
            (try ValueReader.usual(handles: handles).read(tables, "x.\(path)"), handles)
        }
    }

    @Test(
        "an object below a key has a number that leads to it",
        arguments: [
            ("byText", #"["a b"]"#, ValuePath.Component.key(.string("a b"))),
            ("byNumber", "[7]", .index(7)),
            ("byLargeNumber", "[12345678901]", .index(12_345_678_901)),
            ("byNegative", "[-3]", .key(.integer("-3"))),
            ("byCase", "[.green]", .key(.enumCase("green", []))),
        ])
    func keys(_ name: String, _ label: String, _ step: ValuePath.Component) throws {
        let (node, handles) = try read(name)
        #expect(node.kind == .dictionary && node.count == 1)
        #expect(node.children[0].label == label)
        let number = try #require(node.children[0].handle)
        #expect(handles.place(of: number)?.path == [.property(name), step])
    }

    @Test("no number leads below a key that can't be typed", arguments: ["byPlace", "byURL"])
    func untypedKeys(_ name: String) throws {
        let (node, _) = try read(name)
        #expect(node.children[0].kind == .object && node.children[0].handle == nil)
        #expect(node.children[0].label?.contains("SECRET") == false)
    }

    @Test("a dictionary in a dictionary is on the path")
    func nested() throws {
        let (node, handles) = try read("nested")
        let part = node.children[0].children[0].children[0]
        let number = try #require(part.handle)
        #expect(
            handles.place(of: number)?.path
                == [
                    .property("nested"), .key(.string("a")), .key(.string("b")), .index(3),
                ])
    }

    @Test("the same key is judged for each type of value, each time it is read")
    func secrets() throws {
        let tables = Tables()
        let reader = ValueReader.usual()
        for _ in 0..<2 {
            let node = try reader.read(tables, "x")
            func part(_ name: String) -> [ValueNode] {
                node.children.first { $0.label == name }?.children ?? []
            }
            #expect(part("texts").map(\.kind) == [.masked])
            #expect(part("numbers").map(\.text) == ["3"])
            #expect(part("pair").count { $0.kind == .masked } == 1)
            #expect(part("harmless").allSatisfy { $0.kind == .string })
            #expect(!node.plainText.contains("SECRET"))
        }
        withExtendedLifetime(tables) {}
    }

    @Test("entries that are left out are counted")
    func many() throws {
        let node = try ValueReader.usual { $0.elements = 10 }.read(Tables(), "x.many")
        #expect(node.children.count == 10 && node.count == 10_000)
        #expect(node.cut?.reason == "elements" && node.cut?.omitted == 9990)
    }

    @Test(
        "a question is asked of all entries, some thousands at a time",
        arguments: [
            ("x.many where value >= 5000 count", "5000"),
            ("x.many where value >= 5000 where key < 7000 count", "2000"),
            ("x.many where value >= 5000 max value", "9999"), ("x.many.sum", "49995000"),
            ("(x.many sorted by value descending).first", "9999"),
        ])
    func questions(_ text: String, _ result: String) throws {
        #expect(try ValueReader.usual().ask(Tables(), text).text == result)
    }
}
#endif
