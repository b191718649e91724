#if TELLTALE_AGENT
import CTelltaleSystem
package import TelltaleSystem

/// A `Mutex` of the host, taken by the agent's thread as by `withLock`. Host threads that want it meanwhile
/// wait for a moment. It is released on the same thread.
///
/// The only host code that runs under it is formats and the constants of `TelltaleReflectable`, which take
/// no locks. No object is released under it: a `deinit` may want the lock.
package struct MutexTurn {
    /// The result of trying to take a lock.
    package enum Outcome {
        case taken(MutexTurn)
        /// This thread holds the lock already, for example in the closure that the host registered as the
        /// lock.
        case own
        /// Another thread held the lock until the deadline.
        case held(thread: Int32)
        /// There is no such lock at the address.
        case unfit
    }

    /// The longest wait for a lock. An owner access around it, if there is one, lasts as long.
    package static let longestWait: Duration = .milliseconds(200)
    /// The longest time for which a lock is held to read a value. The part not read by then is cut.
    package static let longest: Duration = .milliseconds(50)

    private let word: UInt
    private let object: UInt?

    /// Takes the lock at an address within an object, and keeps the object's memory until the lock is
    /// released.
    ///
    /// - Parameters:
    ///   - word: The address of the lock.
    ///   - object: The object, which was found on its owner; nil for a global or static property.
    ///   - deadline: The deadline of the wait; nil for no wait.
    /// - Returns: The lock, which must be released, or the reason why it was not taken.
    package static func take(
        _ word: UInt, in object: UInt?, until deadline: MonotonicTime?
    ) -> Outcome {
        guard word & 3 == 0, GuardedMemory.load(UInt32.self, at: word) != nil else {
            return .unfit
        }
        if let object { ctelltale_object_hold(object) }
        var holder: Int32 = 0
        let nanoseconds = deadline.map { Int64(clamping: $0.nanoseconds) } ?? 0
        let result = ctelltale_mutex_take(word, nanoseconds, &holder)
        if result == CTelltaleMutexTaken {
            // Memory that was copied before the lock was taken is stale.
            GuardedReading.refresh()
            return .taken(MutexTurn(word: word, object: object))
        }
        if let object { ctelltale_object_let_go(object) }
        switch result {
        case CTelltaleMutexOwn: return .own
        case CTelltaleMutexHeld: return .held(thread: holder)
        default: return .unfit
        }
    }

    /// Releases the lock, on the thread that took it. Must be called only once.
    package func giveBack() {
        ctelltale_mutex_give_back(word)
        GuardedReading.refresh()
        if let object { ctelltale_object_let_go(object) }
    }
}
#endif
