#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

// The steps of a walk into noncopyable values.
extension StoredWalk {
    /// Enters a lock's value, under the lock, or a struct.
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
        case .value(let type): try enter(noncopyable: type, at: place, rest)
        case .mutex(let type, let offset): try enter(lockAt: place, type, behind: offset, rest)
        }
    }

    /// Enters a noncopyable value.
    func enter(
        noncopyable type: Any.Type, at place: UnsafeMutableRawPointer, _ rest: Rest
    ) throws(CommandFailure) {
        switch TypeShape.of(type) {
        case .mutex(let value, let offset):
            try enter(lockAt: place, value, behind: offset, rest)
        case .atomic(let value): try enter(.atomic(value: value), at: place, rest)
        case .optional(let wrapped):
            // The payload of an optional starts at its first byte.
            guard TypeMetadata(type).enumTag(of: place) == 0 else {
                throw CommandFailure(
                    .notFound, "\(rendered) is nil; there is nothing to change",
                    hint: "`show \(rendered)` tells when it is there")
            }
            try enter(noncopyable: wrapped, at: place, rest)
        case .structure:
            guard let step = rest.first, case .property(let name) = step else { fallthrough }
            try self.step(into: name, of: type, at: place, rest.dropFirst())
        default:
            throw CommandFailure(
                .unsupported, "\(rendered) is noncopyable and can't be replaced as a whole",
                hint: "`show \(rendered)` lists what is in it")
        }
    }

    /// Returns whether a type is a lock or an atomic: their value witnesses don't say that they are
    /// noncopyable.
    static func isGuard(_ type: Any.Type) -> Bool {
        switch TypeShape.of(type) {
        case .mutex, .atomic, .lazyReference: true
        default: false
        }
    }

    private func enter(
        lockAt place: UnsafeMutableRawPointer, _ type: Any.Type, behind offset: Int, _ rest: Rest
    ) throws(CommandFailure) {
        let word = UInt(bitPattern: place)
        let found = Guard(word: word, object: object == 0 ? nil : object)
        try Self.holding(found, rendered) { () throws(CommandFailure) in
            lock = found
            // The value that a lock guards may be set even if the lock is in a `let` or has no other owner.
            obstacle = nil
            needsLock = false
            passedActor = nil
            try descend(at: place + offset, type, rest)
        }
    }

    /// A lock, and the object that contains it; `nil` for a global or a static property.
    struct Guard {
        let word: UInt
        let object: UInt?
    }

    /// Runs `body` under a lock of the host's, or without a lock if there is none.
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
