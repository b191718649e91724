#if TELLTALE_AGENT
import TelltaleSystem
import Testing

@testable import TelltaleAgent
@testable import TelltaleProtocol

@Suite("An object that leads back is one line where text is shown, and has one number")
struct ReadingBackTests {
    private final class Kitchen {
        var orders: [Order] = []
        var friend: Kitchen?
        let name = "main"
    }

    private final class Order {
        weak var kitchen: Kitchen?
        unowned let host: Kitchen
        let owner: Kitchen
        var other: Kitchen?
        let price = 5

        init(_ kitchen: Kitchen) {
            (self.kitchen, host, owner) = (kitchen, kitchen, kitchen)
        }
    }

    private let kitchen: Kitchen

    init() {
        kitchen = Kitchen()
        kitchen.orders = [Order(kitchen), Order(kitchen)]
        kitchen.orders[0].other = Kitchen()
    }

    private func address(_ object: AnyObject) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    private func lines(_ path: String, _ reader: ValueReader) throws -> [String] {
        ValueTree(style: TextStyle()).lines(
            of: try reader.read(kitchen, path), label: path, remarks: [])
    }

    @Test("weak and unowned references, and objects on the path")
    func brief() throws {
        let handles = HandleTable()
        let reader = ValueReader.usual(handles: handles) { $0.isBrief = true }
        let root = try #require(try reader.read(kitchen, "x").handle)
        let shown = try lines("x.orders[0]", reader)
        #expect(
            shown.dropFirst().map { String($0) } == [
                "  kitchen: -> Kitchen #\(root)  (weak)", "  host: -> Kitchen #\(root)  (unowned)",
                "  owner: -> Kitchen #\(root)", "  other: Kitchen #3",
                "    orders: [Order] 0 elements",
                "    friend: nil", "    name: \"main\"", "  price: 5",
            ], "\(shown)")
        // The object that the path names is shown, whatever it is reached by.
        #expect(try reader.read(kitchen, "x.orders[0].kitchen").children.count == 3)
        #expect(try reader.read(kitchen, "x.orders[0].kitchen").handle != nil)
        #expect(try reader.read(kitchen, "x.orders[0]").plainText.contains("kitchen: #\(root), "))
    }

    @Test("JSON has all of it down to its depth, under the same number")
    func whole() throws {
        let reader = ValueReader.usual(handles: HandleTable())
        let root = try #require(try reader.read(kitchen, "x").handle)
        let order = try reader.read(kitchen, "x.orders[1]")
        #expect(order.children.first?.handle == root)
        #expect(order.children.first?.children.count == 3)
        #expect(try reader.read(kitchen, "x.orders[1]").children.first?.handle == root)
    }

    @Test("an answer has these numbers as it is sent", arguments: [true, false])
    func sent(_ isBrief: Bool) throws {
        let reader = ValueReader.usual(handles: HandleTable()) { $0.isBrief = isBrief }
        let root = try #require(try reader.read(kitchen, "x").handle)
        let content = try reader.readContent(
            .object(kitchen), rootName: "x", path: ValuePath(parsing: "x.orders[0]").components)
        reader.number(content, rootName: "x")
        guard case .packed(let tree) = content else {
            Issue.record("the answer is no tree")
            return
        }
        var bytes: [UInt8] = []
        #expect(
            tree.writeJSON {
                bytes += $0
                return true
            })
        let node = try ValueNode(json: JSONParser.parse(bytes))
        #expect(node.children.prefix(3).map(\.handle) == [root, root, root])
    }

    @Test("a registered object is named as such")
    func registered() throws {
        let other = try #require(kitchen.orders[0].other)
        let at = address(other)
        let handles = HandleTable { [(name: "annex", address: at)] }
        let number = try #require(
            try ValueReader.usual(handles: handles).read(
                .object(other), rootName: "annex", path: []
            ).handle)
        let reader = ValueReader.usual(handles: handles) { $0.isBrief = true }
        #expect(
            try lines("x.orders[0]", reader).contains(
                "  other: -> Kitchen #\(number)  (registered as annex)"))
        #expect(
            try ValueReader.usual(handles: handles).read(kitchen, "x.orders[0]").children[3].handle
                == number)
    }

    @Test("a condition and a search look behind such a reference")
    func queries() throws {
        let reader = ValueReader.usual(handles: HandleTable()) { $0.isBrief = true }
        #expect(
            try reader.ask(kitchen, "x.orders where kitchen.name == \"main\" count").text == "2")
        #expect(try reader.ask(kitchen, "x.orders where price > 3").children.count == 2)
    }
}
#endif
