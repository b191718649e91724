#if TELLTALE_AGENT
import TelltaleSystem

/// A value of the host, as a copy of its bytes and its type.
struct ValueView {
    let block: MemoryBlock
    let offset: Int
    let type: Any.Type
    /// Whether nobody can change the value while it is read: it stands in a `let`, or belongs to
    /// the reader.
    let isStable: Bool

    init(block: MemoryBlock, offset: Int, type: Any.Type, isStable: Bool) {
        self.block = block
        self.offset = offset
        self.type = type
        self.isStable = isStable
    }

    /// Whether the value of an optional type is not nil; nil if its bytes tell nothing.
    var isSome: Bool? {
        guard bytes != nil, let pointer = block.pointer(at: offset) else { return nil }
        return TypeMetadata(type).enumTag(of: pointer).map { $0 == 0 }
    }

    /// Copies a value; nil if it can't be read.
    ///
    /// - Parameters:
    ///   - type: Its type.
    ///   - address: Where it stands.
    ///   - source: Of the process itself, or of a copy of it.
    ///   - isStable: Whether nobody can change it.
    init?(of type: Any.Type, at address: UInt, in source: MemorySource, isStable: Bool) {
        let size = TypeMetadata(type).size
        guard let block = MemoryBlock(reading: address, count: size, in: source) else {
            return nil
        }
        self.init(block: block, offset: 0, type: type, isStable: isStable)
    }

    /// Where what it points to is to be read.
    var source: MemorySource { block.source }

    /// A part of it, or the same bytes as another type.
    func part(at offset: Int = 0, type: Any.Type) -> ValueView {
        ValueView(block: block, offset: self.offset &+ offset, type: type, isStable: isStable)
    }

    /// A word of the value.
    func word(at offset: Int = 0) -> UInt? { block.load(UInt.self, at: self.offset &+ offset) }

    func load<Value: BitwiseCopyable>(_ type: Value.Type, at offset: Int = 0) -> Value? {
        block.load(type, at: self.offset &+ offset)
    }

    /// All bytes of the value; nil if the block ends before it.
    var bytes: UnsafeRawBufferPointer? {
        block.bytes(at: offset, count: TypeMetadata(type).size)
    }
}
#endif
