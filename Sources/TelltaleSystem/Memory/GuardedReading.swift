#if TELLTALE_AGENT
import CTelltaleSystem

/// Buffered reading of this process's own memory, by one thread, within one access to memory that its owner
/// keeps unchanged.
///
/// The kernel copies chunks of 64 KiB, and values in a chunk are read from its copy: 10 ns, while a system
/// call takes 1.4 µs (measured). A bad address is a result, and no signal is involved. Copies are valid
/// until the reading ends.
package enum GuardedReading {
    /// Runs a body that reads with ``MemorySource/process``. Readings nest; each begins with nothing copied.
    package static func during<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        ctelltale_reading_begin()
        defer { ctelltale_reading_end() }
        return try body()
    }

    /// Runs a body that reads memory which it changes itself, or which changes in the meantime: each read
    /// is a copy of its own, 2 µs (measured), except within ``during(_:)``.
    package static func unbuffered<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        ctelltale_reading_begin_unbuffered()
        defer { ctelltale_reading_end_unbuffered() }
        return try body()
    }

    /// Drops the copies, so that the next read copies anew: needed after this thread has written itself.
    package static func refresh() { ctelltale_reading_refresh() }

    /// Releases the resources of the reading, before host code runs; the next copy takes them again.
    package static func rest() { ctelltale_reading_rest() }

    /// Copies `buffer.count` bytes from `address`; false if not every byte could be read.
    package static func read(address: UInt, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        guard let start = buffer.baseAddress else { return true }
        return ctelltale_reading_copy(address, start, buffer.count)
    }

    /// The value at `address`, for types without references only; `nil` if it can't be read.
    package static func load<Value: BitwiseCopyable>(
        _ type: Value.Type, at address: UInt
    ) -> Value? { MemorySource.process.load(type, at: address) }
}
#endif
