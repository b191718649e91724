#if TELLTALE_AGENT
/// Where the bytes of values are read.
package enum MemorySource {
    /// This process, as it is at the moment of each read.
    case process
    /// A copy of it, at one moment.
    case copy(FrozenCopy)

    /// Copies `buffer.count` bytes from `address`.
    ///
    /// - Returns: false if not every byte could be read; `buffer` is then undefined.
    package func read(address: UInt, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        switch self {
        case .process: GuardedMemory.read(address: address, into: buffer)
        case .copy(let copy): copy.read(address: address, into: buffer)
        }
    }

    /// The value at `address`, for types without references only.
    package func load<Value: BitwiseCopyable>(_ type: Value.Type, at address: UInt) -> Value? {
        withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer in
            guard read(address: address, into: UnsafeMutableRawBufferPointer(buffer)) else {
                return nil
            }
            return buffer.baseAddress?.pointee
        }
    }
}
#endif
