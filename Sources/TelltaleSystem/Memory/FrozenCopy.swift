#if TELLTALE_AGENT
import CTelltaleSystem
import Glibc

/// A copy-on-write snapshot (fork) of this process, whose memory is read in its place.
///
/// The host doesn't see it: no handler of `pthread_atfork` runs, no lock is taken, no signal arrives, no
/// `wait` of the host sees a child, no descriptor is taken. Must be used by the thread that made it.
package final class FrozenCopy {
    private let copy: OpaquePointer
    /// The memory it was weighed with.
    private var weight: UInt64 = 0
    /// The maximum memory of all live copies.
    private static let weights = Locked<UInt64>(0)
    /// For reads in C.
    package var pointer: OpaquePointer { copy }
    private var hasEnded = false

    /// Makes a copy, which ends by itself at `deadline`, and with the calling thread.
    ///
    /// The host is stopped while the kernel copies its tables; see ``CopyCost``.
    ///
    /// - Throws: The kernel's error, or ENOTSUP if there are no such copies.
    package init(until deadline: MonotonicTime) throws(SystemError) {
        var made: OpaquePointer?
        let code = ctelltale_copy_make(deadline.nanoseconds, &made)
        guard code == 0, let made else {
            throw SystemError("clone(a copy of the process)", code: code)
        }
        copy = made
    }

    /// Makes a copy if its cost permits; an expensive one only if the client asked for it by name
    /// (`isAsked`).
    package static func weighed(until deadline: MonotonicTime, isAsked: Bool) throws(Failure)
        -> FrozenCopy
    {
        var cost = CopyCost.now
        let refusal = weights.withLock { weights -> CopyCost.Refusal? in
            cost.headroom.take(weights)
            if let refusal = cost.refusal, !(isAsked && refusal.yields) { return refusal }
            weights &+= cost.memory
            return nil
        }
        if let refusal { throw .refused(refusal) }
        do throws(SystemError) {
            let began = MonotonicTime.read(CLOCK_THREAD_CPUTIME_ID)
            let copy = try FrozenCopy(until: deadline)
            CopyRate.learn(MonotonicTime.read(CLOCK_THREAD_CPUTIME_ID) - began, for: cost.copied)
            copy.weight = cost.memory
            return copy
        } catch {
            weights.withLock { $0 &-= cost.memory }
            throw .system(error)
        }
    }

    /// Why there is no copy.
    package enum Failure: Error {
        case refused(CopyCost.Refusal)
        case system(SystemError)
    }

    deinit { _ = end() }

    /// Copies `buffer.count` bytes of the copy's memory from `address`.
    ///
    /// - Returns: false if not every byte could be read; `buffer` is then undefined.
    func read(address: UInt, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        guard !hasEnded else { return false }
        guard let start = buffer.baseAddress else { return true }
        return ctelltale_copy_read(copy, address, start, buffer.count) == 0
    }

    /// The copy's process; for tests.
    package var process: Int32 { ctelltale_copy_process(copy) }

    /// Indicates that the copy reads its memory itself, because the kernel refuses that to this
    /// process.
    package var isServed: Bool { ctelltale_copy_is_served(copy) }

    /// Tells the copy to end; ``awaitEnded()`` waits for that.
    ///
    /// - Returns: `nil` if it existed all the time; else the reason that its readings don't count.
    package func end() -> String? {
        guard !hasEnded else { return nil }
        hasEnded = true
        Self.weights.withLock { $0 &-= weight }
        let lost = ctelltale_copy_lost(copy)
        let wasThere = ctelltale_copy_end(copy)
        switch lost {
        case 0: return wasThere ? nil : "ended before it was read"
        case ESRCH: return "ended before it was read"
        case ETIMEDOUT: return "gave no answer by its deadline"
        default: return "can't be read: \(SystemError.text(lost))"
        }
    }

    /// The number of copies that were told to end and haven't yet.
    package static var left: Int { ctelltale_copies_left() }

    /// Waits for the copies that were told to end, for at most half a second. One that is later is
    /// taken by the next call, or when the next copy is made.
    package static func awaitEnded() { _ = ctelltale_copies_await() }
}

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
        case .process: GuardedReading.read(address: address, into: buffer)
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
