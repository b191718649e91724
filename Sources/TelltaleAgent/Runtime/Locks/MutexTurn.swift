#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// A `Mutex` of the host's, taken by the agent's thread as `withLock` would: whoever wants it meanwhile
/// waits for a moment, and it is given back on the same thread.
///
/// Nothing of the host's runs under it but formats and the constants of `TelltaleReflectable`, which take
/// no locks, and nothing is let go under it: a `deinit` may want the lock.
struct MutexTurn {
    /// What came of asking for one.
    enum Outcome {
        case taken(MutexTurn)
        /// This thread holds it already, such as in the closure that the host registered as the lock.
        case own
        /// Another thread had it until the deadline.
        case held(thread: Int32)
        /// No such lock stands there.
        case unfit
    }

    /// How long one is waited for: the owner's turn, if there is one, lasts so long too.
    static let longestWait: Duration = .milliseconds(200)
    /// How long one is held while the value is read; what is not read by then is cut.
    static let longest: Duration = .milliseconds(50)

    private let word: UInt
    private let object: UInt?

    /// Takes the lock at an address within an object, whose memory stays for as long.
    ///
    /// - Parameters:
    ///   - word: Where it stands.
    ///   - object: The object, which was found on its owner; nil of a global or static property.
    ///   - deadline: Until when it is waited for; nil not at all.
    /// - Returns: The lock, to be given back, or why it was not taken.
    static func take(
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
            // Memory that was copied before the lock was had is stale.
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

    /// Gives the lock back, on the thread that took it; to be called once.
    func giveBack() {
        ctelltale_mutex_give_back(word)
        GuardedReading.refresh()
        if let object { ctelltale_object_let_go(object) }
    }
}
#endif
