#if TELLTALE_COMPILED
import CTelltaleSystem
import Glibc

/// A descriptor with the proof that its number is still ours.
///
/// The numbers belong to the process: a host that calls `closefrom()` has closed the agent's
/// descriptors too, and its next socket has a number of theirs. So each is checked before it is
/// written to, taken from or closed (`fstat`, 0.2 us). Between the check and the call the host may
/// still close it; there is no call that would do both at once.
package struct OwnDescriptor: Sendable {
    let facts: CTelltaleDescriptor

    /// The number, for calls that take nothing and leave nothing, such as `poll` and a peek at bytes.
    package var raw: Int32 { facts.number }

    /// Takes the facts of a descriptor that was just made.
    package init(_ raw: Int32) { self.init(ctelltale_descriptor(raw)) }

    init(_ facts: CTelltaleDescriptor) {
        self.facts = facts
        // The standard streams are the host's. A thread of a parent process may have held the lock when this
        // process was forked.
        if facts.number > STDERR_FILENO {
            _ = Self.open.withLockIfAvailable { $0[facts.number] = facts }
        }
    }

    /// The facts of the descriptors that were made, by number; one that was closed may still be here.
    private static let open = Locked<[Int32: CTelltaleDescriptor]>([:])

    /// The numbers of the agent's open descriptors, for a list of all.
    package static var numbers: Set<Int32> {
        let all = open.withLockIfAvailable { $0 } ?? [:]
        return Set(
            all.filter { withUnsafePointer(to: $0.value) { ctelltale_descriptor_is_ours($0) } }.keys
        )
    }

    /// Indicates that the number still leads to the same file.
    package var isOurs: Bool {
        withUnsafePointer(to: facts) { ctelltale_descriptor_is_ours($0) }
    }

    /// Indicates that it certainly is no longer ours; if neither can be proved, the check is
    /// repeated later.
    package var isLost: Bool {
        withProof { withUnsafePointer(to: facts) { ctelltale_descriptor_is_lost($0) } }
    }

    /// Runs `body` with a spare descriptor if the proof is in a file.
    func withProof<Result>(_ body: () -> Result) -> Result {
        guard facts.known_by == Int32(CTelltaleKnownByWatch.rawValue) else { return body() }
        return DescriptorReserve.shared.givingUp(1, body)
    }

    /// Closes it if it still is ours.
    package func close() {
        _ = Self.open.withLockIfAvailable { $0[facts.number] = nil }
        withUnsafePointer(to: facts) { ctelltale_descriptor_close($0) }
    }
}

/// The only owner of an open descriptor, which it closes once, if its number is still ours by then.
package struct FileDescriptor: ~Copyable, Sendable {
    /// The descriptor's number, valid for as long as this owner lives and the process closes nothing
    /// of others.
    package let raw: Int32
    private let known: OwnDescriptor

    package init(taking raw: Int32) {
        self.raw = raw
        known = OwnDescriptor(raw)
    }

    deinit { known.close() }

    /// Indicates that the number still leads to the file that was taken over.
    package var isOurs: Bool { known.isOurs }

    /// Gives the number away; it is then the caller's to close.
    package consuming func release() -> Int32 {
        let raw = self.raw
        discard self
        return raw
    }

    /// Makes reads and writes return at once instead of waiting (`O_NONBLOCK`).
    package func setNonblocking() throws(SystemError) {
        let flags = fcntl(raw, F_GETFL)
        guard flags >= 0, fcntl(raw, F_SETFL, flags | O_NONBLOCK) >= 0 else {
            throw SystemError("fcntl(\(raw), O_NONBLOCK)")
        }
    }
}
#endif
