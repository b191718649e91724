#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleProtocol
import TelltaleSystem

extension ReadTree {
    /// How many values it has, with their parts.
    var count: Int { Int(tree.pointee.count) }

    /// The root alone.
    var bareHead: ValueNode { node(at: 0, withParts: false) }

    /// How many of its values were cut, by the reason.
    var cuts: [String: Int] {
        var cuts: [String: Int] = [:]
        var place = 0
        while place < tree.pointee.size {
            let node = flat(at: place)
            if node.cut != CTELLTALE_NO_NAME { cuts[plans.text(node.cut), default: 0] += 1 }
            place = Int(node.next)
        }
        return cuts
    }

    /// Calls a body with each value that has a word in its name or its text, and with those that it is a
    /// part of, from the root on. The word is in lower case as far as it is ASCII. How many were looked at:
    /// fewer than there are where the time was over.
    func search(
        for word: [UInt8], until deadline: MonotonicTime, _ body: (Int, [Int]) -> Void
    ) -> Int {
        word.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                guard let start = bytes.baseAddress else { return count }
                var search = ctelltale_tree_search_begin(tree, plans.plans, start, bytes.count)
                while MonotonicTime.now < deadline {
                    search.left = Self.bytesAtOnce
                    var place = ctelltale_tree_search(&search)
                    while place < Self.paused {
                        body(Int(place), Self.above(&search))
                        // What is made of a find takes longer than to look for it.
                        search.left = min(search.left, Self.bytesAtOnce / 64)
                        place = ctelltale_tree_search(&search)
                    }
                    if place != Self.paused { break }
                }
                return Int(search.looked)
            }
        }
    }

    private static let paused = UInt32.max - 1
    private static let bytesAtOnce = 256 << 10

    private static func above(_ search: inout CTelltaleTreeSearch) -> [Int] {
        let depth = Int(search.depth)
        return withUnsafeBytes(of: &search.above) { bytes in
            bytes.bindMemory(to: UInt32.self).prefix(depth).map { Int($0) }
        }
    }
}
#endif
