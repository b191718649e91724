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
    /// Indicates that its text can be written here: nothing in it needs an escape.
    var isPlainText: Bool { get }

    /// Writes the JSON of the tree in pages, until one is not taken; whether all of them were.
    func writeJSON(_ sink: (UnsafeRawBufferPointer) -> Bool) -> Bool
    /// Writes the lines behind the root's, each with its end, without colours.
    func writeLines(_ sink: (UnsafeRawBufferPointer) -> Bool) -> Bool
    /// Writes the tree as one line, as it would be typed, without colours.
    func writePlain(_ sink: (UnsafeRawBufferPointer) -> Bool) -> Bool
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

/// An answer as text, of which the largest part is written as it is sent.
package struct PackedText {
    /// The lines ahead of the value, each with its end.
    package var before: String
    package var value: any PackedValue
    /// Indicates that the value is one line, and not the lines after the root's.
    package var isOneLine: Bool
    /// The text after the value.
    package var after: String { isOneLine ? "\n" : "" }

    /// Writes the value in pages, until one is not taken; whether all of them were.
    package func write(_ sink: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        isOneLine ? value.writePlain(sink) : value.writeLines(sink)
    }

    /// All of it, without the last line's end.
    var text: String {
        var bytes = Array(before.utf8)
        _ = write {
            bytes.append(contentsOf: $0)
            return true
        }
        if !isOneLine { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
#endif
