#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleAgent

@Suite("A reading is bounded, and says what it left out")
struct ReadingBoundsTests {
    private final class Link {
        let number: Int
        var next: Link?
        init(_ number: Int) { self.number = number }
    }

    @Test("depth")
    func depth() throws {
        let person = Sample.Person()
        person.best = Sample.Person()
        let node = try ValueReader.usual { $0.depth = 1 }.read(person)
        let best = try #require(node.children.first { $0.label == "best" })
        #expect(best.cut == .init(reason: "depth", omitted: 3))
        #expect(best.children.isEmpty)
        let root = try ValueReader.usual { $0.depth = 0 }.read(person)
        #expect(root.cut == .init(reason: "depth", omitted: 3))
        #expect(root.address != nil)
    }

    private indirect enum Tree {
        case leaf(Int)
        case pair(Tree, Tree)
    }

    @Test(
        "a tree of pairs, of which each part could be the name of another",
        .timeLimit(.minutes(1)))
    func pairs() throws {
        var tree = Tree.leaf(0)
        for number in 1...30 { tree = .pair(tree, .pair(.leaf(number), .leaf(number))) }
        let reader = ValueReader.usual { $0.depth = 40 }
        let node = try reader.read(.value(tree), rootName: "x", path: [])
        let text = try JSONValueEncoder.encode(node).serialized()
        #expect(text.contains("\"30\""))
        #expect(!text.contains("deadline"))
    }

    @Test("elements")
    func elements() throws {
        let reader = ValueReader.usual { $0.elements = 3 }
        let array = try reader.read(.value(Array(0..<10)), rootName: "x", path: [])
        #expect(array.children.count == 3)
        #expect(array.cut == .init(reason: "elements", omitted: 7))
        let table = Dictionary(uniqueKeysWithValues: (0..<10).map { ($0, $0) })
        let dictionary = try reader.read(.value(table), rootName: "x", path: [])
        #expect(dictionary.children.count == 3)
        #expect(dictionary.count == 10)
        #expect(dictionary.cut == .init(reason: "elements", omitted: 7))
    }

    @Test("bytes")
    func bytes() throws {
        let reader = ValueReader.usual {
            $0.bytes = 2000
            $0.elements = 10_000
        }
        let node = try reader.read(.value(Array(0..<5000)), rootName: "x", path: [])
        #expect(node.children.count > 5 && node.children.count < 30)
        #expect(node.cut == .init(reason: "bytes", omitted: 5000 - node.children.count))
    }

    @Test("a deadline that has passed")
    func deadline() throws {
        let reader = ValueReader.usual {
            $0.deadline = MonotonicTime(nanoseconds: 1)
            $0.elements = 10_000
        }
        let node = try reader.read(.value(Array(0..<5000)), rootName: "x", path: [])
        #expect(node.cut?.reason == "deadline")
        #expect(node.children.count < 20)
    }

    @Test("a long string")
    func longString() throws {
        let reader = ValueReader.usual { $0.stringBytes = 10 }
        let text = "12345678é日本語"
        let node = try reader.read(.value(text), rootName: "x", path: [])
        #expect(node.text == "\"12345678é\"")
        #expect(node.cut == .init(reason: "bytes", omitted: 9))
    }

    @Test("a cycle ends")
    func cycle() throws {
        let first = Link(1)
        first.next = Link(2)
        first.next?.next = first
        let node = try ValueReader.usual { $0.depth = 50 }.read(first)
        let again = try #require(node.children.last?.children.last)
        #expect(again.kind == .reference)
        #expect(again.address == node.address)
        #expect(again.children.isEmpty)
        first.next?.next = nil
    }

    @Test("a long chain, on the smallest stack of a worker")
    func stack() async throws {
        let first = Link(0)
        var last = first
        for number in 1...500 {
            let link = Link(number)
            last.next = link
            last = link
        }
        let reader = ValueReader.usual { $0.depth = 1_000_000 }
        nonisolated(unsafe) let root = first
        var node = await withCheckedContinuation { continuation in
            let started: Void? = try? NativeThread.start(
                name: "small stack", stackBytes: 1 << 20
            ) {
                continuation.resume(
                    returning: try? reader.read(.object(root), rootName: "x", path: []))
            }
            if started == nil { continuation.resume(returning: nil) }
        }
        var depth = 0
        while let next = node?.children.last {
            depth += 1
            node = next
        }
        #expect(depth > 8 && depth <= ReadLimits.deepest)
        #expect(node?.cut?.reason == "depth")
        // Freed one by one: the compiler's own release would recurse.
        var link: Link? = first
        while let current = link {
            link = current.next
            current.next = nil
        }
    }

    @Test("values nested in existentials without end")
    func nested() throws {
        struct Wrapped { let inner: Any }
        var value: Any = 1
        for _ in 0..<1000 { value = Wrapped(inner: value) }
        var anything: Any = 1
        for _ in 0..<1000 { anything = [anything] }
        for root in [value, anything] {
            let node = try ValueReader.usual { $0.depth = 1000 }.read(
                .value(root), rootName: "x", path: [])
            #expect(node.children.count == 1)
        }
    }
}
#endif
