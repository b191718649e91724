#if TELLTALE_COMPILED
import CTelltaleSystem
import Glibc

/// Descriptors held in reserve for the moment when the process can have no other: one of them is
/// closed for an operation that would have failed. They are copies of one that is open anyway.
///
/// The host may take a released number before it is used; nothing can prevent that, and the next
/// try has the next one.
package final class DescriptorReserve: Sendable {
    private struct State {
        var held: [OwnDescriptor] = []
        var wanted = 0
        /// Given up for a while: not taken up again before that is over.
        var lent = 0
        var shortUntil = MonotonicTime.longAgo
        var original: OwnDescriptor?
        /// The fork generation in which they were opened: a forked child has closed its parent's,
        /// and the host uses their numbers by now.
        var generation = DescriptorReserve.generation
    }

    /// The process's own reserve; empty until it is filled.
    package static let shared = DescriptorReserve()

    private let state = Locked(State())

    private static var generation: UInt32 {
        #if TELLTALE_AGENT
        ForkHook.generation
        #else
        0
        #endif
    }

    private func withState<Result>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            if state.generation != Self.generation { state = State() }
            return body(&state)
        }
    }

    private init() {}

    /// Holds `count` copies of `original` from now on.
    package func fill(_ count: Int, with original: OwnDescriptor) {
        withState { state in
            // Descriptors that the host has closed meanwhile are no longer ours.
            for descriptor in state.held { Self.close(descriptor) }
            state.held = []
            state.wanted = count
            state.original = original
        }
        refill()
    }

    /// The numbers of the descriptors that are held.
    package var numbers: [Int32] { withState { $0.held.filter(\.isOurs).map(\.raw) } }

    package func empty() {
        withState { state in
            for descriptor in state.held { Self.close(descriptor) }
            state = State()
        }
    }

    /// Refills the reserve, as far as the process may; does nothing while some are lent: one given
    /// to a connection is missing as well, and a number taken for it would be the lent one.
    ///
    /// - Complexity: One look under a lock while nothing is missing.
    package func refill() {
        withState { state in
            guard state.lent == 0, state.held.count < state.wanted,
                let original = state.original, original.isOurs
            else { return }
            while state.held.count < state.wanted {
                guard let copy = Self.copy(of: original.raw) else { return }
                state.held.append(copy)
            }
        }
    }

    /// Runs `open`, which returns a descriptor, or -1 and `errno`; and once more with a reserved
    /// descriptor released if it fails for want of one. At least `keeping` stay held, for more
    /// urgent operations.
    package func lend(keeping: Int = 0, _ open: () -> Int32) -> Int32 {
        let descriptor = open()
        guard descriptor < 0, errno == EMFILE || errno == ENFILE else { return descriptor }
        let isFree = withState { state in
            guard state.held.count > keeping, let spare = state.held.popLast() else {
                return false
            }
            Self.close(spare)
            return true
        }
        guard isFree else {
            errno = EMFILE
            return -1
        }
        return open()
    }

    /// Runs `body`, which opens up to `count` files at once by their paths and closes them again. If the
    /// process has no descriptors left, `body` runs on a thread with a descriptor table of its own, so that
    /// the reserve releases no number that the host could take. Without such a thread it runs as in
    /// ``givingUp(_:_:)``.
    package func makingRoom<Result>(for count: Int, _ body: () -> Result) -> Result {
        guard isShort || !Self.hasRoom(for: count) else { return body() }
        #if TELLTALE_AGENT
        if ctelltale_descriptors_are_own() { return body() }
        noteShortage()
        if let result = OwnDescriptorTable.run(body) { return result }
        #endif
        return givingUp(count, body)
    }

    #if TELLTALE_AGENT
    /// Runs `body`, which opens a file of the host's by its path and closes it again, on a thread with a
    /// descriptor table of its own; without such a thread as ``makingRoom(for:_:)`` does.
    ///
    /// As soon as a process closes any descriptor of a file, the kernel drops all its record locks on that file
    /// (`fcntl(2)`, Advisory record locking). It identifies the process by its descriptor table.
    package func apart<Result>(_ body: () -> Result) -> Result {
        OwnDescriptorTable.run(body) ?? makingRoom(for: 1, body)
    }
    #endif

    /// Indicates that there was no descriptor a moment ago: one that is free now may be the host's
    /// in the next.
    private var isShort: Bool { withState { $0.shortUntil > .now } }

    private func noteShortage() {
        withState { $0.shortUntil = .now.advanced(by: .seconds(1)) }
    }

    /// Runs `open`, and once more with two descriptors available if it fails with `errno` for want of one.
    func retrying<Result>(_ open: () -> Result?) -> Result? {
        if let result = open() { return result }
        guard errno == EMFILE || errno == ENFILE else { return nil }
        #if TELLTALE_AGENT
        noteShortage()
        #endif
        return makingRoom(for: 2, open)
    }

    /// Runs `body`, which opens up to `count` files at once and may keep them, or uses the process's own
    /// descriptors. If the process has no descriptors left, the reserve releases as many for it.
    package func givingUp<Result>(_ count: Int, _ body: () -> Result) -> Result {
        guard !Self.hasRoom(for: count) else { return body() }
        let given = withState { state in
            let given = max(0, min(count, state.held.count))
            for _ in 0..<given {
                if let spare = state.held.popLast() { Self.close(spare) }
            }
            state.lent += given
            return given
        }
        defer {
            withState { $0.lent = max(0, $0.lent - given) }
            refill()
        }
        return body()
    }

    /// Returns whether the process can have `count` more descriptors, by opening them for a moment.
    package static func hasRoom(for count: Int) -> Bool {
        var had: [Int32] = []
        defer { for descriptor in had { _ = FileDescriptor(taking: descriptor) } }
        for _ in 0..<count {
            let descriptor = open("/", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return false }
            had.append(descriptor)
        }
        return true
    }

    private static func copy(of original: Int32) -> OwnDescriptor? {
        #if TELLTALE_AGENT
        let made = try? ForkHook.made {
            let copy = fcntl(original, F_DUPFD_CLOEXEC, 3)
            return copy >= 0 ? copy : nil
        }
        return made ?? nil
        #else
        let copy = fcntl(original, F_DUPFD_CLOEXEC, 3)
        return copy >= 0 ? OwnDescriptor(copy) : nil
        #endif
    }

    private static func close(_ descriptor: OwnDescriptor) {
        #if TELLTALE_AGENT
        ForkHook.close(descriptor)
        #else
        descriptor.close()
        #endif
    }
}
#endif
