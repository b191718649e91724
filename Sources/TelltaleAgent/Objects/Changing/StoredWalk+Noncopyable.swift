#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

// The steps of a walk into what can't be copied.
extension StoredWalk {
    /// Goes on into a lock's value, under the lock, or into a struct.
    func enter(
        _ finding: NoncopyableField.Finding, at place: UnsafeMutableRawPointer, _ rest: Rest
    ) throws(CommandFailure) {
        switch finding {
        case .unreadable(_, let reason):
            throw CommandFailure(.unsupported, "\(rendered) is noncopyable and \(reason)")
        case .atomic:
            throw CommandFailure(
                .unsupported, "\(rendered) is an Atomic, which can't be set",
                hint: "offer an action that changes it")
        case .structure(let type):
            guard let step = rest.first, case .property(let name) = step else {
                throw CommandFailure(
                    .unsupported, "\(rendered) is noncopyable and can't be replaced as a whole",
                    hint: "`show \(rendered)` lists its properties")
            }
            try self.step(into: name, of: type, at: place, rest.dropFirst())
        case .mutex(let type, let offset):
            let word = UInt(bitPattern: place)
            try Self.holding(Guard(word: word, object: object), rendered) {
                () throws(CommandFailure) in
                lock = Guard(word: word, object: object)
                // What the lock guards may be set, also where it stands in a `let` or has no other owner.
                obstacle = nil
                needsLock = false
                try descend(at: place + offset, type, rest)
            }
        }
    }

    /// A lock, and the object that it stands in.
    struct Guard {
        let word: UInt
        let object: UInt
    }

    /// Runs `body` under a lock of the host's; without one where there is none.
    static func holding<Result>(
        _ lock: Guard?, _ rendered: String, _ body: () throws(CommandFailure) -> Result
    ) throws(CommandFailure) -> Result {
        guard let lock else { return try body() }
        let deadline = MonotonicTime.now.advanced(by: MutexTurn.longestWait)
        switch MutexTurn.take(lock.word, in: lock.object, until: deadline) {
        case .own: return try body()
        case .taken(let turn):
            defer { turn.giveBack() }
            return try body()
        case .held(let thread):
            throw CommandFailure(
                .timeout,
                "\(rendered) was not reached: thread \(thread) held its lock for "
                    + Quantity.time(MutexTurn.longestWait),
                hint: "`stack \(thread)` shows where")
        case .unfit:
            throw CommandFailure(.unsupported, "\(rendered) has no lock where one should stand")
        }
    }
}
#endif
