#if TELLTALE_AGENT
import CTelltaleSystem

/// Much reading of this process's own memory, by one thread.
///
/// While it lasts the thread copies by plain loads, 23 ns for 160 bytes where a call of the kernel takes
/// 1.9 µs (measured): SIGSEGV and SIGBUS are the agent's for so long, a fault of its own is an answer and
/// everybody else's goes to the host's handler. Where that can't be, it is the kernel that copies.
package enum GuardedReading {
    /// Runs a body that reads with ``MemorySource/process``. Readings nest.
    package static func during<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        ctelltale_reading_begin()
        defer { ctelltale_reading_end() }
        return try body()
    }

    /// Gives the signals back in the middle of it, before code of the host's runs; the next copy takes them again.
    package static func rest() { ctelltale_reading_rest() }

    /// Copies `buffer.count` bytes from `address`; false if not every byte could be read.
    package static func read(address: UInt, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        guard let start = buffer.baseAddress else { return true }
        return ctelltale_reading_copy(address, start, buffer.count)
    }

    /// The value at `address`, for types without references only; `nil` if it can't be read.
    package static func load<Value: BitwiseCopyable>(
        _ type: Value.Type, at address: UInt
    ) -> Value? {
        withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer in
            guard read(address: address, into: UnsafeMutableRawBufferPointer(buffer)) else {
                return nil
            }
            return buffer.baseAddress?.pointee
        }
    }

    /// Indicates that the thread's reading copies by plain loads now.
    package static var isFast: Bool { ctelltale_reading_is_fast() }
}
#endif
