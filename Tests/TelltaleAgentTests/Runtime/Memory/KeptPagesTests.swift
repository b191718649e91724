#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem
import Testing

@testable import TelltaleAgent

/// The time for which the memory of a large answer stays for the next one, and the ways it is
/// released.
///
/// Other tests' answers may take it at any time, and mappings may come to lie where it was: each
/// step is tried until it is seen.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct KeptPagesTests {
    /// A tree of some 1.1 MB.
    private static func large() -> CTelltaleTree {
        var tree = CTelltaleTree()
        let node = CTelltaleNode()
        for _ in 0..<25_000 { ctelltale_tree_add(&tree, node) }
        return tree
    }

    /// Gives a large tree back; where its memory began.
    private static func giveBack() -> UInt {
        var tree = large()
        let start = UInt(bitPattern: tree.bytes)
        ctelltale_tree_free(&tree)
        return start
    }

    private static func isThere(_ address: UInt) -> Bool {
        var word: UInt = 0
        return withUnsafeMutableBytes(of: &word) { GuardedReading.read(address: address, into: $0) }
    }

    private static func isSeen(_ attempt: () -> Bool) -> Bool {
        KeptPages.during {
            for _ in 0..<100 where attempt() { return true }
            return false
        }
    }

    @Test("the next large answer has it")
    func used() {
        #expect(
            Self.isSeen {
                let start = Self.giveBack()
                let isKept = Self.isThere(start)
                var tree = Self.large()
                defer { ctelltale_tree_free(&tree) }
                return isKept && UInt(bitPattern: tree.bytes) == start && tree.count == 25_000
            })
    }

    @Test("it stays while it is used, and goes when it isn't")
    func aged() {
        #expect(
            Self.isSeen {
                let start = Self.giveBack()
                KeptPages.age()
                guard Self.isThere(start) else { return false }
                var tree = Self.large()
                guard UInt(bitPattern: tree.bytes) == start else {
                    ctelltale_tree_free(&tree)
                    return false
                }
                ctelltale_tree_free(&tree)
                KeptPages.age()
                guard Self.isThere(start) else { return false }
                KeptPages.age()
                return !Self.isThere(start)
            })
    }

    @Test("it goes with the agent that looked after it")
    func ended() {
        let isSeen = (0..<100).contains { _ in
            let start = KeptPages.during {
                let start = Self.giveBack()
                return Self.isThere(start) ? start : nil
            }
            return start.map { !Self.isThere($0) } ?? false
        }
        #expect(isSeen)
    }

    @Test("what is larger than may be kept goes at once")
    func bound() {
        #expect(
            Self.isSeen {
                var tree = CTelltaleTree()
                let node = CTelltaleNode()
                while tree.room <= 4 << 20 { ctelltale_tree_add(&tree, node) }
                let start = UInt(bitPattern: tree.bytes)
                ctelltale_tree_free(&tree)
                return !Self.isThere(start)
            })
    }

    @Test("a search for holders finds none of it, begun before or afterwards")
    func searched() {
        let layout = HeapLayout.known(by: .now.advanced(by: .seconds(5)))
        let isSeen = Self.isSeen {
            let before = Self.giveBack()
            let deadline = MonotonicTime.now.advanced(by: .seconds(5))
            guard let graph = HolderGraph(layout, until: deadline) else { return false }
            return withExtendedLifetime(graph) {
                !Self.isThere(before) && !Self.isThere(Self.giveBack())
            }
        }
        #expect(isSeen)
        // It is kept again once the search has ended.
        used()
    }
}
#endif
