#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// A thread of our own that is made to wait, for self-tests. The kernel reports the address of the word on
/// which it sleeps.
package final class SleepingThread: Sendable {
    /// A futex call that a thread sleeps in.
    struct Sleep: Sendable, Equatable {
        var thread: Int32
        var address: UInt
        var expected: UInt32

        /// Reads the system call of `thread`; nil if it isn't a futex call.
        init?(of thread: Int32) {
            let path = "/proc/self/task/\(thread)/syscall"
            let words = SmallFile.text(of: path, limit: 512)?.split(separator: " ") ?? []
            func word(_ index: Int) -> UInt? { UInt(words[index].dropFirst(2), radix: 16) }
            guard words.count > 3, let call = Int(words[0]),
                SystemCallNames.name(of: call) == "futex", let address = word(1),
                let expected = word(3)
            else { return nil }
            self.thread = thread
            self.address = address
            self.expected = UInt32(truncatingIfNeeded: expected)
        }
    }

    package enum Outcome: Equatable {
        /// The thread was seen to sleep as expected.
        case seen
        /// The thread sleeps in another way.
        case otherwise
        /// The thread did not begin to sleep, or did not return, in time.
        case late
    }

    private struct State {
        var body: (@Sendable () -> Void)?
        /// The thread that runs `body`; 0 before it starts.
        var thread: Int32 = 0
        var isOver = false
    }

    private static let longest = Duration.milliseconds(500)
    private let state = TimedCondition(State())

    init() throws(SystemError) {
        try NativeThread.start(
            name: "telltale-layout", stackBytes: 256 << 10, isLingering: true
        ) { [state] in
            while let body = Self.next(state) {
                body()
                state.update { ($0.body, $0.thread) = (nil, 0) }
            }
        }
    }

    deinit { state.update { $0.isOver = true } }

    private static func next(_ state: TimedCondition<State>) -> (@Sendable () -> Void)? {
        let body = state.wait(until: .distantFuture) { state -> (@Sendable () -> Void)?? in
            guard !state.isOver else { return .some(nil) }
            return state.body.map { .some($0) }
        }
        state.withLock { $0.thread = Int32(truncatingIfNeeded: NativeThread.currentID) }
        return body ?? nil
    }

    /// Makes the thread wait in `body`, and observes it. The caller then wakes the thread, and calls
    /// ``hasEnded()`` to see that it has returned.
    func sleep(
        in body: @escaping @Sendable () -> Void, until isExpected: (Sleep) -> Bool
    ) -> Outcome {
        let deadline = MonotonicTime.now.advanced(by: Self.longest)
        guard state.withLock({ $0.body == nil }) else { return .late }
        state.update { $0.body = body }
        var outcome = Outcome.late
        // The thread may sleep on something else for a moment, such as a lock of the allocator.
        var others = 0
        while outcome == .late, others < 20, .now < deadline {
            let thread = state.withLock { $0.thread }
            if thread != 0, let sleep = Sleep(of: thread) {
                if isExpected(sleep) { outcome = .seen } else { others += 1 }
            }
            if outcome == .late { NativeThread.sleep(.microseconds(50)) }
        }
        return others == 20 ? .otherwise : outcome
    }

    /// Returns true if the thread has returned. If it has not, the memory that it waits on must not be
    /// freed.
    func hasEnded() -> Bool {
        state.wait(until: .now.advanced(by: Self.longest)) { $0.body == nil ? true : nil } ?? false
    }
}
#endif
