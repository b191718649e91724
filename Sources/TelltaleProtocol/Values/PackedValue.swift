#if TELLTALE_COMPILED
/// A value's tree that is not made of nodes one by one: an agent has read it, and writes it itself.
///
/// Its output equals the renderers' output for its nodes, byte for byte.
package protocol PackedValue: AnyObject, Sendable {
    /// All of the tree.
    var node: ValueNode { get }
    /// The root; where it has parts, with something in their place.
    var head: ValueNode { get }
    /// More bytes than its JSON has.
    var longestJSON: Int { get }

    /// Writes the JSON of the tree in pages, until one is not taken; whether all of them were.
    func writeJSON(_ sink: (UnsafeRawBufferPointer) -> Bool) -> Bool
}

/// A value's tree in one form or the other.
package enum ValueContent: Sendable, Equatable {
    case node(ValueNode)
    case packed(any PackedValue)
    /// With the details that were asked for.
    case detailed(ValueNode, ValueDetail)

    package var node: ValueNode {
        switch self {
        case .node(let node), .detailed(let node, _): node
        case .packed(let packed): packed.node
        }
    }

    package static func == (left: ValueContent, right: ValueContent) -> Bool {
        if case .packed(let left) = left, case .packed(let right) = right, left === right {
            return true
        }
        return left.node == right.node
    }
}

/// An answer's result as JSON, of which the largest part is written as it is sent.
package struct PackedResult {
    package var before: [UInt8]
    package var value: any PackedValue
    package var after: [UInt8]
}
#endif
