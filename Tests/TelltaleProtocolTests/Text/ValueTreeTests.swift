import Testing

@testable import TelltaleProtocol

@Suite("A value as a tree")
struct ValueTreeTests {
    private let queue = "queue com.telltale.photos, concurrent"

    private func rendered(
        _ node: ValueNode, path: String = "photos", owner: String? = nil,
        read: String = "on its owner", color: Bool = false
    ) -> String {
        ValueAnswer(path: path, value: node, owner: owner ?? queue, read: read)
            .rendered(TextStyle(color: color))
    }

    private var photos: ValueNode {
        ValueNode(
            type: "PhotoManager", kind: .object,
            children: [
                ValueNode(
                    label: "items", type: "[Photo]", kind: .array, count: 12,
                    children: [
                        ValueNode(
                            label: "[0]", type: "Photo", kind: .object, handle: 7,
                            children: [
                                ValueNode(
                                    label: "title", type: "String", kind: .string,
                                    text: "\"Overly Attached Girlfriend\"")
                            ])
                    ], cut: .init(reason: "elements", omitted: 11)),
                ValueNode(label: "prompt", type: "String?", kind: .none),
            ])
    }

    @Test("the session of the design is shown as it stands there")
    func sessionOfTheDesign() {
        #expect(
            rendered(photos) == """
                photos: PhotoManager  (on queue com.telltale.photos, concurrent)
                  items: [Photo] 12 elements
                    [0]: Photo #7
                      title: "Overly Attached Girlfriend"
                    … 11 more
                  prompt: nil
                """)
    }

    @Test(
        "the root says how it was read",
        arguments: [
            ("actor", "on its owner", "on its actor"),
            ("main actor", "on its owner", "on the main actor"),
            ("lock", "on its owner", "under its lock"),
            ("closure", "on its owner", "made by its closure"),
            ("none", "on its owner", "in place"),
            ("queue a.b, serial", "on its owner", "on queue a.b, serial"),
            ("queue a.b, serial", "in a snapshot", "in a snapshot"),
            ("none", "in place", "in place"),
        ])
    func whereRead(owner: String, read: String, said: String) {
        let node = ValueNode(type: "Int", kind: .scalar, text: "12")
        #expect(rendered(node, path: "n", owner: owner, read: read) == "n: 12  (\(said))")
    }

    @Test("every kind of value has its line")
    func kinds() {
        let node = ValueNode(
            type: "All", kind: .structure,
            children: [
                ValueNode(label: "count", type: "Int", kind: .scalar, text: "9988"),
                ValueNode(label: "state", type: "State", kind: .enumeration, text: ".done"),
                ValueNode(
                    label: "result", type: "Result", kind: .enumeration, text: ".failure",
                    children: [ValueNode(label: ".0", type: "Int", kind: .scalar, text: "3")]),
                ValueNode(label: "size", type: "PixelSize", kind: .structure),
                ValueNode(label: "pair", type: "(Int, Int)", kind: .tuple),
                ValueNode(label: "tags", type: "Set<String>", kind: .set, count: 1),
                ValueNode(label: "cache", type: "[String: Int]", kind: .dictionary, count: 9988),
                ValueNode(label: "done", type: "() -> ()", kind: .opaque),
                ValueNode(label: "kind", type: "Photo.Type", kind: .opaque, text: "Photo.self"),
                ValueNode(label: "parent", type: "All", kind: .reference, handle: 7),
                ValueNode(label: "other", type: "All", kind: .object, address: "0x7f3a10"),
                ValueNode(label: "token", type: "String", kind: .masked, text: "<masked>"),
                ValueNode(
                    label: "lost", type: "Photo", kind: .unavailable, note: "memory is not mapped"),
                ValueNode(label: "bare", type: "Photo", kind: .unavailable),
                ValueNode(label: "owner", type: "All?", kind: .none, note: "weak"),
            ])
        #expect(
            rendered(node, path: "all", read: "in place") == """
                all: All  (in place)
                  count: 9988
                  state: .done
                  result: .failure
                    .0: 3
                  size: PixelSize
                  pair: (Int, Int)
                  tags: Set<String> 1 element
                  cache: [String: Int] 9,988 entries
                  done: () -> ()
                  kind: Photo.Type Photo.self
                  parent: -> #7
                  other: All 0x7f3a10
                  token: <masked>
                  lost: Photo  (memory is not mapped)
                  bare: Photo  (unavailable)
                  owner: nil  (weak)
                """)
    }

    @Test(
        "a cut is said",
        arguments: [
            (ValueNode.Cut(reason: "elements", omitted: 9_988), "… 9,988 more"),
            (.init(reason: "elements"), "… more"),
            (.init(reason: "depth", omitted: 3), "…depth"),
            (.init(reason: "deadline"), "…deadline"),
            (.init(reason: "deadline", omitted: 12), "…deadline (12 more)"),
            (.init(reason: "bytes"), "…bytes"),
            (.init(reason: "of a newer agent"), "…of a newer agent"),
        ])
    func cuts(cut: ValueNode.Cut, said: String) {
        let node = ValueNode(
            type: "[Int]", kind: .array, count: 9_989,
            children: [ValueNode(label: "[0]", type: "Int", kind: .scalar, text: "1")], cut: cut)
        #expect(
            rendered(node, path: "n", read: "in place") == """
                n: [Int] 9,989 elements  (in place)
                  [0]: 1
                  \(said)
                """)
    }

    @Test("where nothing is shown, a cut by depth stands on the node's own line")
    func cutBesideTheNode() {
        let node = ValueNode(
            type: "[Int]", kind: .array, count: 3, cut: .init(reason: "depth", omitted: 3))
        #expect(
            rendered(node, path: "n", read: "in place") == "n: [Int] 3 elements …depth  (in place)")
    }

    @Test("nothing of the host steers the terminal: names, types, values and notes are escaped")
    func escapes() {
        let evil = "a\u{1B}[2J\n\u{202E}\u{9B}"
        let safe = "a\\u{1B}[2J\\n\\u{202E}\\u{9B}"
        let node = ValueNode(
            type: evil, kind: .structure,
            children: [
                ValueNode(label: evil, type: "String", kind: .string, text: evil, note: evil),
                ValueNode(label: "x", type: evil, kind: .object, address: evil),
                ValueNode(label: "y", type: evil, kind: .unavailable, note: evil),
            ], cut: .init(reason: evil))
        #expect(
            rendered(node, path: evil, read: evil) == """
                \(safe): \(safe)  (\(safe))
                  \(safe): \(safe)  (\(safe))
                  x: \(safe) \(safe)
                  y: \(safe)  (\(safe))
                  …\(safe)
                """)
    }

    @Test("colour is sparing: names bold, masks dim, and none where none was asked for")
    func colour() {
        let node = ValueNode(
            type: "Library", kind: .object,
            children: [ValueNode(label: "token", type: "String", kind: .masked)])
        #expect(
            rendered(node, path: "library", read: "in place", color: true)
                == "\u{1B}[1mlibrary\u{1B}[0m: Library  (in place)\n"
                + "  \u{1B}[1mtoken\u{1B}[0m: \u{1B}[2m<masked>\u{1B}[0m")
        #expect(!rendered(node).contains("\u{1B}"))
    }

    @Test("the depth of a tree is the sender's choice and costs no stack")
    func deepTree() {
        var node = ValueNode(type: "Int", kind: .scalar, text: "1")
        for _ in 0..<1_000 {
            node = ValueNode(label: "a", type: "A", kind: .object, children: [node])
        }
        #expect(rendered(node).split(separator: "\n").count == 1_001)
    }
}
