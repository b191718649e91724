#if TELLTALE_AGENT
import Dispatch
import TelltaleSystem

/// Submits items to Dispatch on a thread that exists only while there are items, and a moment longer.
///
/// If Dispatch needs a thread for an item and can't create one, it sleeps and retries on the submitting
/// thread, without a limit (`_dispatch_temporary_resource_shortage`, seen at the limit of memory). No other
/// thread of the agent may block in this way. So the submissions use a separate thread, and at most that
/// one is blocked.
///
/// With its first thread, Dispatch also creates an event loop, and traps if it can't get descriptors for it
/// (seen with `ulimit -n` reached). So the agent makes Dispatch create the loop at start, and submits
/// nothing before it exists.
package final class DispatchSubmitter: Sendable {
    private enum Priming { case none, asked, done }

    private struct State {
        var items: [@Sendable () -> Void] = []
        var isRunning = false
        var priming = Priming.none
        /// The time at which the current submission began.
        var began: MonotonicTime?
    }

    /// The timeout of one submission. A submission takes microseconds. If it takes longer than a busy
    /// machine could delay its thread, it is blocked.
    private static let timeout = Duration.milliseconds(250)
    /// The maximum number of items waiting to be submitted.
    private static let limit = 1024
    private let state = TimedCondition(State())

    package init() {}

    /// A root queue whose threads a host is unlikely to block. Each quality of service has its own threads,
    /// and a pool whose threads all wait gets another thread only after a second.
    static var spare: DispatchQueue { .global(qos: .userInteractive) }

    /// The descriptors that an event loop of Dispatch needs, and some more for threads that open
    /// descriptors meanwhile.
    private static let descriptorsOfADispatch = 8

    /// Makes Dispatch create its event loop, unless that was done already, and waits for it: usually 0.1
    /// ms, at most a second. Returns true if the loop exists.
    @discardableResult
    package func prime() -> Bool {
        let isFirst = state.update { state in
            guard state.priming == .none,
                DescriptorReserve.hasRoom(for: Self.descriptorsOfADispatch)
            else { return false }
            state.priming = .asked
            return true
        }
        // Dispatch creates the loop before it runs the first item.
        let isAsked =
            !isFirst
            || enqueue { [self] in
                Self.spare.async { [self] in state.update { $0.priming = .done } }
            }
        guard isAsked else {
            // No thread could be created, so there is no submission to wait for.
            state.update { $0.priming = .none }
            return false
        }
        let deadline = MonotonicTime.now.advanced(by: isFirst ? .seconds(1) : .zero)
        return state.wait(until: deadline) { $0.priming == .done ? true : nil } ?? false
    }

    /// Runs `item`, which submits something, on the submitting thread.
    ///
    /// - Returns: False if that is impossible: no thread can be created for it, or Dispatch is blocking
    ///   that thread.
    package func submit(_ item: @escaping @Sendable () -> Void) -> Bool {
        prime() && enqueue(item)
    }

    private func enqueue(_ item: @escaping @Sendable () -> Void) -> Bool {
        // The thread is created under the lock. Otherwise another caller's item could be accepted for a
        // thread that then can't be created.
        state.update { state in
            let isHeld = state.began.map { MonotonicTime.now.since($0) > Self.timeout }
            guard isHeld != true, state.items.count < Self.limit else { return false }
            if !state.isRunning {
                do throws(SystemError) {
                    try NativeThread.start(name: "telltale-submit", stackBytes: 256 << 10) {
                        [self] in run()
                    }
                } catch {
                    return false
                }
                state.isRunning = true
            }
            state.items.append(item)
            return true
        }
    }

    private func run() {
        while let item = next() { item() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { $0.began = nil }
        _ = state.wait(until: .now.advanced(by: NativeThread.lingering)) {
            $0.items.isEmpty ? nil : true
        }
        return state.update { state in
            guard !state.items.isEmpty else {
                state.isRunning = false
                return nil
            }
            state.began = .now
            return state.items.removeFirst()
        }
    }
}
#endif
