#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// A thread of our own that is made to wait, for self-tests: what the kernel says of it tells where
/// the word lies that it sleeps on.
final class SleepingThread: Sendable {
    /// A futex call that a thread sleeps in.
    struct Sleep: Sendable, Equatable {
        var thread: Int32
        var address: UInt
        var expected: UInt32

        /// What the kernel says that `thread` does; nil where that is no sleep on a futex.
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

    enum Outcome: Equatable {
        /// It was seen to sleep as expected.
        case seen
        /// It sleeps otherwise.
        case otherwise
        /// It did not come to sleep, or did not end.
        case late
    }

    private struct State {
        var body: (@Sendable () -> Void)?
        /// The thread that runs `body`; 0 before it does.
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

    /// Has it wait in `body`, and looks at it. The caller wakes it then, and asks whether it has
    /// come back.
    func sleep(
        in body: @escaping @Sendable () -> Void, until isExpected: (Sleep) -> Bool
    ) -> Outcome {
        let deadline = MonotonicTime.now.advanced(by: Self.longest)
        guard state.withLock({ $0.body == nil }) else { return .late }
        state.update { $0.body = body }
        var outcome = Outcome.late
        // It may sleep on something else for a moment, say a lock of the allocator.
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

    /// Whether it has come back; what it waited on must stay where it is where it has not.
    func hasEnded() -> Bool {
        state.wait(until: .now.advanced(by: Self.longest)) { $0.body == nil ? true : nil } ?? false
    }
}
#endif
