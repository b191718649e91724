#if TELLTALE_AGENT
import TelltaleSystem

/// A copy of some bytes of the host, aligned for every type.
///
/// It owns the bytes and none of the references in them: nothing is retained or released.
final class MemoryBlock {
    private let buffer: UnsafeMutableRawBufferPointer
    /// Where the bytes are from, and what they point to is to be read.
    let source: MemorySource

    /// More than this is not copied at once: the largest value that is shown.
    static let largest = 1 << 24

    var count: Int { buffer.count }

    /// Copies bytes of the host; nil if not all of them can be read.
    ///
    /// - Parameters:
    ///   - address: Where they stand.
    ///   - count: How many they are.
    ///   - source: Of the process itself, or of a copy of it.
    init?(reading address: UInt, count: Int, in source: MemorySource) {
        guard count >= 0, count <= Self.largest else { return nil }
        buffer = .allocate(byteCount: count, alignment: 64)
        self.source = source
        guard count == 0 || source.read(address: address, into: buffer) else {
            return nil
        }
    }

    /// Copies bytes of another block.
    init?(copying other: MemoryBlock, offset: Int, count: Int) {
        guard let bytes = other.bytes(at: offset, count: count) else { return nil }
        buffer = .allocate(byteCount: count, alignment: 64)
        source = other.source
        buffer.copyMemory(from: bytes)
    }

    deinit { buffer.deallocate() }

    /// Some of the bytes; nil if they are not all in the block.
    ///
    /// They are valid as long as the block is.
    func bytes(at offset: Int, count: Int) -> UnsafeRawBufferPointer? {
        guard offset >= 0, count >= 0, count <= buffer.count, offset <= buffer.count - count
        else {
            return nil
        }
        return UnsafeRawBufferPointer(
            rebasing: UnsafeRawBufferPointer(buffer)[offset..<offset + count])
    }

    /// The bytes from an offset on, to be changed by the runtime.
    func pointer(at offset: Int) -> UnsafeMutableRawPointer? {
        guard offset >= 0, offset <= buffer.count else { return nil }
        return buffer.baseAddress?.advanced(by: offset)
    }

    /// A number in the block.
    func load<Value: BitwiseCopyable>(_ type: Value.Type, at offset: Int) -> Value? {
        bytes(at: offset, count: MemoryLayout<Value>.size)?.loadUnaligned(as: Value.self)
    }
}
#endif
