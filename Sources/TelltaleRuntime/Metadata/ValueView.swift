#if TELLTALE_AGENT
package import TelltaleSystem

/// A value of the host, as a copy of its bytes and its type.
package struct ValueView {
    package let block: MemoryBlock
    package let offset: Int
    package let type: Any.Type
    /// True if no thread can change the value while it is read: it is in a `let`, or belongs to the reader.
    package let isStable: Bool

    package init(block: MemoryBlock, offset: Int, type: Any.Type, isStable: Bool) {
        self.block = block
        self.offset = offset
        self.type = type
        self.isStable = isStable
    }

    /// True if the value of an optional type is not nil; nil if its bytes are invalid.
    package var isSome: Bool? {
        guard bytes != nil, let pointer = block.pointer(at: offset) else { return nil }
        return TypeMetadata(type).enumTag(of: pointer).map { $0 == 0 }
    }

    /// The source from which memory that the value points to must be read.
    package var source: MemorySource { block.source }

    /// The address of the value in an object or a variable; nil for a separate copy.
    package var place: UInt? {
        (block.object ?? block.variable).map { $0 &+ UInt(bitPattern: offset) }
    }

    /// Returns a part of the value, or the same bytes as another type.
    package func part(at offset: Int = 0, type: Any.Type) -> ValueView {
        ValueView(block: block, offset: self.offset &+ offset, type: type, isStable: isStable)
    }

    package func word(at offset: Int = 0) -> UInt? {
        block.load(UInt.self, at: self.offset &+ offset)
    }

    package func load<Value: BitwiseCopyable>(_ type: Value.Type, at offset: Int = 0) -> Value? {
        block.load(type, at: self.offset &+ offset)
    }

    /// All bytes of the value; nil if the block ends before it.
    package var bytes: UnsafeRawBufferPointer? {
        block.bytes(at: offset, count: TypeMetadata(type).size)
    }

    /// Returns the value in a box after the standard object header, or a longer header; nil if it can't be
    /// read.
    func boxed(_ type: Any.Type, at box: UInt, behind header: UInt = 16) -> ValueView? {
        ValueView(
            of: type, at: box &+ TypeMetadata(type).offset(behind: header), in: source,
            isStable: isStable)
    }
}

extension ValueView {
    /// Copies a value; nil if it can't be read.
    package init?(
        of type: Any.Type, at address: UInt, in source: MemorySource, isStable: Bool,
        isVariable: Bool = false
    ) {
        let size = TypeMetadata(type).size
        let block = MemoryBlock(
            reading: address, count: size, in: source, isVariable: isVariable)
        guard let block else { return nil }
        self.init(block: block, offset: 0, type: type, isStable: isStable)
    }

    /// Copies a value owned by this thread. Refreshes the cached reads first, because the memory may have
    /// held another value a moment ago.
    package init?(ofOwn type: Any.Type, at pointer: UnsafeRawPointer) {
        GuardedReading.refresh()
        self.init(of: type, at: UInt(bitPattern: pointer), in: .process, isStable: true)
    }
}

extension ValueView {
    /// A reference to an object, as if it were in a constant.
    package init?(referringTo address: UInt, of type: Any.Type, in source: MemorySource) {
        let block = withUnsafeBytes(of: address) {
            MemoryBlock(copying: $0, source: source, object: nil)
        }
        guard let block else { return nil }
        self.init(block: block, offset: 0, type: type, isStable: true)
    }
}

/// A copy of some bytes of the host, aligned for every type.
///
/// It owns the bytes, but none of the references in them: nothing is retained or released.
package final class MemoryBlock {
    private let buffer: UnsafeMutableRawBufferPointer
    /// The source of the bytes, from which memory that they point to must also be read.
    package let source: MemorySource
    /// The object that contains the bytes; nil for other bytes.
    package let object: UInt?
    /// The global or static property that contains the bytes, which is never freed; nil for other bytes.
    package let variable: UInt?

    /// The maximum size of one copy: the largest value that is shown.
    package static let largest = 1 << 24

    package var count: Int { buffer.count }

    /// Copies bytes of the host; nil if not all of them can be read.
    package init?(
        reading address: UInt, count: Int, in source: MemorySource, isObject: Bool = false,
        isVariable: Bool = false
    ) {
        guard count >= 0, count <= Self.largest else { return nil }
        buffer = .allocate(byteCount: count, alignment: 64)
        self.source = source
        object = isObject ? address : nil
        variable = isVariable ? address : nil
        guard count == 0 || source.read(address: address, into: buffer) else {
            return nil
        }
    }

    /// Copies bytes of another block.
    init?(copying other: MemoryBlock, offset: Int, count: Int) {
        guard let bytes = other.bytes(at: offset, count: count) else { return nil }
        buffer = .allocate(byteCount: count, alignment: 64)
        source = other.source
        object = nil
        variable = nil
        buffer.copyMemory(from: bytes)
    }

    /// Copies bytes that were already read from the host; `object` is the object that contains them, if
    /// there is one.
    package init?(copying bytes: UnsafeRawBufferPointer, source: MemorySource, object: UInt?) {
        guard bytes.count <= Self.largest else { return nil }
        buffer = .allocate(byteCount: bytes.count, alignment: 64)
        self.source = source
        self.object = object
        variable = nil
        buffer.copyMemory(from: bytes)
    }

    deinit { buffer.deallocate() }

    /// Returns some of the bytes; nil if they are not all in the block.
    ///
    /// They are valid only during the lifetime of the block.
    package func bytes(at offset: Int, count: Int) -> UnsafeRawBufferPointer? {
        guard offset >= 0, count >= 0, count <= buffer.count, offset <= buffer.count - count
        else {
            return nil
        }
        return UnsafeRawBufferPointer(
            rebasing: UnsafeRawBufferPointer(buffer)[offset..<offset + count])
    }

    /// Returns the address of the byte at an offset, from which the runtime may change the bytes.
    func pointer(at offset: Int) -> UnsafeMutableRawPointer? {
        guard offset >= 0, offset <= buffer.count else { return nil }
        return buffer.baseAddress?.advanced(by: offset)
    }

    func load<Value: BitwiseCopyable>(_ type: Value.Type, at offset: Int) -> Value? {
        bytes(at: offset, count: MemoryLayout<Value>.size)?.loadUnaligned(as: Value.self)
    }
}
#endif
