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
    /// it, from the root on. Returns the number of values examined, which is less than their total if the
    /// deadline passed.
    package func search(
        for word: FoldedWord, until deadline: MonotonicTime, _ body: (Int, [Int]) -> Void
    ) -> Int {
        var looked = 0
        var place = 0
        var above: [(place: Int, end: Int)] = []
        // The cost, about one for each byte, up to which the clock is not read again.
        var left = 0
        while place < tree.pointee.size {
            if left <= 0 {
                guard MonotonicTime.now < deadline else { break }
                left = 256 << 10
            }
            let node = flat(at: place)
            looked &+= 1
            left &-= 32 &+ Int(node.text_size)
            while let last = above.last, last.end <= place { above.removeLast() }
            if contains(word, node) {
                body(place, above.map(\.place))
                // Processing a match takes longer than searching for it.
                left = min(left, 4 << 10)
            }
            if node.end > node.next { above.append((place, Int(node.end))) }
            place = Int(node.next)
        }
        return looked
    }

    private func contains(_ word: FoldedWord, _ node: CTelltaleNode) -> Bool {
        // The replacement of a secret is not a value.
        let isValue =
            node.flags & UInt8(CTelltaleNodeHasText) != 0
            && node.kind != CTelltaleNodeKind.masked.rawValue
        if isValue && word.isIn(bytes(of: node)) { return true }
        guard node.flags & UInt8(CTelltaleNodeIsElement) == 0, node.label != CTELLTALE_NO_NAME
        else { return false }
        let name = ctelltale_name_text(plans.plans, node.label).pointee
        return word.isIn(UnsafeRawBufferPointer(start: name.bytes, count: Int(name.size)))
    }
}
#endif
