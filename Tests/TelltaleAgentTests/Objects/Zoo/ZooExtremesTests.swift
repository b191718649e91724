#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleAgent

private final class Link {
    let number: Int
    var next: Link?
    init(_ number: Int) { self.number = number }

    /// The first of so many in a row; in a ring the last leads to it.
    static func row(of count: Int, isRing: Bool = false) -> Link {
        let first = Link(0)
        var last = first
        for number in 1..<count {
            let link = Link(number)
            last.next = link
            last = link
        }
        if isRing { last.next = first }
        return first
    }
}

private final class Lists {
    let numbers = Array(0..<1_000_000)
    let links = (0..<1_000_000).map(Link.init)
}

private final class Texts {
    let text = String(repeating: "größer ", count: 4_000_000)
    let table = [String(repeating: "k", count: 1 << 20): 1]
}

extension ValueReader {
    /// Reads below an object that is not kept afterwards.
    fileprivate func read(passing object: AnyObject, _ path: String) throws -> ValueNode {
        let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        defer { withExtendedLifetime(object) {} }
        return try read(
            .object(at: address), rootName: "x", path: ValuePath(parsing: path).components)
    }
}

@Suite("The largest of each kind is cut, and that is said", .serialized)
struct ZooExtremesTests {
    /// Pages of this process that are in memory.
    private var resident: Int {
        let words = SmallFile.text(of: "/proc/self/statm", limit: 256)?.split(separator: " ")
        return words.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0
    }

    private func measured(
        most seconds: Double, mebibytes: Int = 64, _ body: () throws -> ValueNode
    ) rethrows -> ValueNode {
        let (pages, began) = (resident, MonotonicTime.now)
        let node = try body()
        #expect(MonotonicTime.now.since(began) < .seconds(seconds))
        #expect((resident - pages) * 4096 < mebibytes << 20)
        return node
    }

    private func cuts(of node: ValueNode) -> Set<String> {
        node.children.reduce(into: Set([node.cut?.reason].compactMap(\.self))) {
            $0.formUnion(cuts(of: $1))
        }
    }

    private func depth(of node: ValueNode) -> Int {
        1 + (node.children.map(depth).max() ?? 0)
    }

    @Test("a list of 100,000 nodes, and a ring of 10,000", arguments: [false, true])
    func lists(_ isRing: Bool) throws {
        let first = Link.row(of: isRing ? 10_000 : 100_000, isRing: isRing)
        for depth in [6, 64, 100_000] {
            let node = try measured(most: 5) {
                try ValueReader.usual { $0.depth = depth }.read(first)
            }
            #expect(cuts(of: node) == ["depth"])
            #expect(self.depth(of: node) <= ReadLimits.deepest + 2)
        }
        // A short ring ends where it began.
        let ring = try ValueReader.usual { $0.depth = 64 }.read(Link.row(of: 20, isRing: true))
        #expect(cuts(of: ring).isEmpty)
        #expect(depth(of: ring) == 21)
    }

    @Test("an array of 1,000,000 numbers or objects")
    func arrays() throws {
        let lists = Lists()
        for name in ["numbers", "links"] {
            let node = try measured(most: 5) {
                try ValueReader.usual().read(passing: lists, "x.\(name)")
            }
            #expect(node.count == 1_000_000 && node.children.count == 100)
            #expect(node.cut?.reason == "elements" && node.cut?.omitted == 999_900)
            let page = try measured(most: 5) {
                try ValueReader.usual().read(passing: lists, "x.\(name)[999990..<1000000]")
            }
            #expect(page.children.count == 10 && page.children.first?.label == "[999990]")
        }
        let whole = try measured(most: 30, mebibytes: 700) {
            try ValueReader.usual {
                $0.elements = 1_000_000
                $0.bytes = 8 << 20
            }.read(passing: lists, "x.links")
        }
        #expect(whole.cut?.reason == "bytes")
        #expect(whole.children.count < 200_000)
    }

    @Test("a text of 36 MB, and a key of 1 MB")
    func texts() throws {
        let texts = Texts()
        let text = try measured(most: 5) { try ValueReader.usual().read(passing: texts, "x.text") }
        #expect((text.text?.utf8.count ?? 0) < 70_000)
        #expect(text.cut?.reason == "bytes")
        #expect((text.cut?.omitted ?? 0) > 35_000_000)
        let key = try measured(most: 5) { try ValueReader.usual().read(passing: texts, "x.table") }
        try #require(key.children.count == 1)
        #expect((key.children[0].label?.utf8.count ?? 0) < 70_000)
        let failure = #expect(throws: CommandFailure.self) {
            try ValueReader.usual().read(passing: texts, "x.text.count")
        }
        #expect(failure?.code == .bound)
    }
}
#endif
