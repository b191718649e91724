#if TELLTALE_COMPILED
import CTelltaleSystem

/// Reads of this process's own memory that fail instead of faulting.
package enum GuardedMemory {
    /// Copies `buffer.count` bytes from `address`.
    ///
    /// One system call, 1.9 µs for 64 bytes (measured); a bad address costs the same.
    ///
    /// - Returns: false if not every byte could be read; `buffer` is then undefined.
    package static func read(address: UInt, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        guard let start = buffer.baseAddress else { return true }
        return ctelltale_read_memory(address, start, buffer.count)
    }

    /// The value at `address`, for types without references only.
    package static func load<Value: BitwiseCopyable>(_ type: Value.Type, at address: UInt)
        -> Value?
    {
        withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer in
            guard read(address: address, into: UnsafeMutableRawBufferPointer(buffer)) else {
                return nil
            }
            return buffer.baseAddress?.pointee
        }
    }
}

/// Whether there is memory left for work that takes much of it.
package enum MemoryRoom {
    /// More than one capture of threads, queues or names takes.
    private static let needed = 24 << 20

    /// Asked before such work: where Swift can't allocate the process ends. 2 µs.
    package static var isEnough: Bool { ctelltale_has_room(needed) }

    /// Whether the calling thread can allocate small things for as long as it likes.
    ///
    /// At the limit of memory a thread can't that has not allocated before. 0.2 µs.
    package static var threadHasHeap: Bool { ctelltale_thread_has_heap() }

    /// Whether a thread that begins now comes to have one. 2 µs.
    static var heapCanBegin: Bool { ctelltale_heap_can_begin() }
}
#endif
