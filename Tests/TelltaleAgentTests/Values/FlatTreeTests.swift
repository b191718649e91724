#if TELLTALE_AGENT
import TelltaleProtocol
import Testing

@testable import TelltaleValues

@Suite("A tree of nodes one after the other") struct FlatTreeTests {
    private let pool = PlanPool()

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func add(
        _ kind: NodeKind, _ label: UInt32, _ text: String?, to tree: inout FlatTree
    ) -> Int {
        let node = FlatNode(kind: kind, type: 0, label: label)
        guard let text else { return tree.add(node) }
        return bytes(text).withUnsafeBytes { tree.add(node, text: $0) }
    }

    @Test("nodes have their texts, their parts and their ends, of whatever size")
    func nodes() {
        var tree = FlatTree()
        defer { tree.free() }
        let root = add(.structure, noName, nil, to: &tree)
        var places: [Int] = []
        for size in 0..<100 {
            let text = String(repeating: "x", count: size)
            let part = add(size % 2 == 0 ? .scalar : .enumeration, 1, text, to: &tree)
            if size % 3 == 0, size % 2 == 1 { _ = add(.scalar, 2, "inner", to: &tree) }
            tree.close(part)
            places.append(part)
        }
        tree.close(root)
        tree.cut(root, 3, omitted: 7)
        tree.note(root, 4)
        #expect(tree.parts(of: root) == places && !tree.hasFailed)
        for (size, place) in places.enumerated() {
            let node = tree.node(at: place)
            #expect(node.text.count == size && node.text.allSatisfy { $0 == 0x78 })
            #expect(node.hasParts == (size % 3 == 0 && size % 2 == 1))
        }
        let node = tree.node(at: root)
        #expect(node.cut == 3 && node.omitted == 7 && node.note == 4 && node.end == tree.size)
        #expect(tree.part(of: root, [1]) == places[0] && tree.part(of: root, [1, 2]) == nil)
        #expect(tree.part(of: places[3], [2]) != nil && tree.part(of: root, [9]) == nil)
    }

    @Test("a leaf that is to have parts makes the tree unusable, and nothing worse")
    func misuse() {
        var tree = FlatTree()
        defer { tree.free() }
        let leaf = add(.scalar, noName, "1", to: &tree)
        tree.note(leaf, 1)
        #expect(tree.hasFailed)
        tree.cut(1 << 40, 1, omitted: 1)
    }

    @Test("nodes come out as they went in, over many pages")
    func values() throws {
        let plans = pool.take()
        var tree = FlatTree()
        var expected = ValueNode(type: "T", kind: .array)
        for index in 0..<5000 {
            let text = "\(index) é \" \n" + String(repeating: "y", count: index % 50)
            expected.children.append(
                ValueNode(label: "[\(index)]", type: "Int", kind: .scalar, text: text))
        }
        let root = tree.add(FlatNode(kind: .array, type: plans.name("T"), label: noName))
        for (index, child) in expected.children.enumerated() {
            let node = FlatNode(
                kind: .scalar, type: plans.name("Int"), label: UInt32(index), flags: .isElement)
            _ = bytes(child.text ?? "").withUnsafeBytes { tree.add(node, text: $0) }
        }
        tree.close(root)
        let read = ReadTree(tree, plans: plans, pool: pool)
        #expect(read.node == expected)
        var json: [UInt8] = []
        #expect(
            read.writeJSON {
                json.append(contentsOf: $0)
                return true
            })
        #expect(try String(decoding: json, as: UTF8.self) == expected.json().serialized())
        #expect(json.count <= read.longestJSON)
        var pages = 0
        let isDone = read.writeJSON { _ in
            pages += 1
            return pages < 2
        }
        #expect(!isDone && pages == 2)
    }

    @Test("a plan's type is eight bytes off the alignment of objects")
    func planTypes() throws {
        let plan = pool.take().plan(of: FlatTreeTests.self)
        let offset = try #require(MemoryLayout<Plan>.offset(of: \.metadata))
        #expect((Int(bitPattern: plan) + offset) % 16 == 8)
    }

    @Test("names are numbered by their bytes, and keep them")
    func names() {
        let plans = pool.take()
        // The same character, composed and not: a name is bytes.
        let texts = ["", "a", "\u{E9}", "e\u{301}", "a\"b", "\u{202E}x"]
        let numbers = texts.map(plans.name)
        #expect(Set(numbers).count == texts.count && texts.map(plans.name) == numbers)
        for (text, number) in zip(texts, numbers) {
            #expect(plans.text(number).utf8.elementsEqual(text.utf8))
            let json = String(decoding: plans.name(number).json, as: UTF8.self)
            #expect("\"\(json)\"" == JSONValue.string(text).serialized())
        }
        #expect(plans.text(noName) == "")
    }
}
#endif
