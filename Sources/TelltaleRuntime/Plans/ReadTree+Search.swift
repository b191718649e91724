#if TELLTALE_AGENT
import CTelltaleSystem
package import TelltaleProtocol
package import TelltaleSystem

extension ReadTree {
    /// The number of values, including nested ones.
    package var count: Int { Int(tree.pointee.count) }

    /// The root node without its parts.
    package var bareHead: ValueNode { node(at: 0, withParts: false) }

    /// The number of truncated values, by reason.
    package var cuts: [String: Int] {
        var cuts: [String: Int] = [:]
        var place = 0
        while place < tree.pointee.size {
            let node = flat(at: place)
            if node.cut != CTELLTALE_NO_NAME { cuts[plans.text(node.cut), default: 0] += 1 }
            place = Int(node.next)
        }
        return cuts
    }

    /// Calls a body with each value whose name or text contains a word, and with the values that contain
    /// it, from the root on. The word is in lower case as far as it is ASCII. Returns the number of values
    /// examined, which is less than their total if the deadline passed.
    package func search(
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
                        // Processing a match takes longer than searching for it.
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
