#if TELLTALE_AGENT
import CTelltaleSystem

/// A growing array of bytes, from 64 KiB on in pages of its own: the allocator would keep them as the host's
/// memory after a large answer.
struct OwnPages {
    private(set) var start: UnsafeMutableRawPointer?
    private var room = 0
    var size = 0

    /// Returns the address after the last byte, with room for some more; nil if there is no memory.
    @inline(__always)
    mutating func end(for count: Int) -> UnsafeMutableRawPointer? {
        room &- size >= count || grow(count) ? start?.advanced(by: size) : nil
    }

    private mutating func grow(_ count: Int) -> Bool {
        ctelltale_own_pages_grow(&start, &room, size &+ count)
    }

    /// Appends some bytes; false if there is no memory.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let end = end(for: bytes.count) else { return bytes.isEmpty }
        if let start = bytes.baseAddress { end.copyMemory(from: start, byteCount: bytes.count) }
        size &+= bytes.count
        return true
    }

    mutating func append(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { append($0) } }

    @inline(__always)
    mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number) -> Bool {
        withUnsafeBytes(of: number) { append($0) }
    }

    func free() { ctelltale_own_pages_free(start, room) }
}

/// The kinds of `ValueNode`, in the order of ``FlatTree/kinds``.
enum NodeKind: UInt8 {
    case scalar, string, object, structure, enumeration, none, tuple, array, set, dictionary
    case opaque, reference, masked, unavailable
}

struct NodeFlags: OptionSet {
    let rawValue: UInt32

    /// The label is a position: `[3]`.
    static let isElement = NodeFlags(rawValue: 1)
    /// The text is the contents of quotes, and nothing in it needs an escape.
    static let isQuoted = NodeFlags(rawValue: 2)
    static let hasText = NodeFlags(rawValue: 4)
    /// The text needs no escape in JSON.
    static let isPlain = NodeFlags(rawValue: 8)
    /// The value is an address.
    static let hasAddress = NodeFlags(rawValue: 16)
    /// The value is a count.
    static let hasCount = NodeFlags(rawValue: 32)
    static let hasOmitted = NodeFlags(rawValue: 64)
    /// The node is not a leaf.
    static let hasTail = NodeFlags(rawValue: 128)
}

/// A node, as it is added to a tree and as it is read from it.
struct FlatNode {
    var kind: NodeKind
    var type: NameNumber
    var label: UInt32
    var flags: NodeFlags = []
    var note = noName
    /// The reason that parts are missing.
    var cut = noName
    /// 0 for none, else -1 less the index of its location: the numbers are assigned later, in order.
    var handle: Int32 = 0
    var value: UInt64 = 0
    var omitted: UInt64 = 0
    /// Owned by the tree.
    var text = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The offset of the first part, or, without parts, of the node that follows.
    var next = 0
    /// The offset of the node after the last part.
    var end = 0

    var hasParts: Bool { end > next }

    /// True if the node has, or may get, more than a text.
    var mayHaveParts: Bool {
        switch kind {
        case .scalar, .string, .none, .masked:
            !flags.isDisjoint(with: [.hasAddress, .hasCount, .hasOmitted])
        default: true
        }
    }
}
#endif
