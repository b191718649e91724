#if TELLTALE_AGENT
import Dispatch
import TelltaleSystem

/// Submits items to Dispatch on a thread that exists only while there are some, and a moment longer.
///
/// Where Dispatch needs a thread for an item and can have none, it sleeps and tries again on the
/// thread that submits, without a bound (`_dispatch_temporary_resource_shortage`, seen at the
/// limit of memory). None of the agent's other threads may wait so: here it costs one.
///
/// And where Dispatch makes its first thread it makes an event loop too, and traps if it can have no
/// descriptors for that (seen with `ulimit -n` reached). So it is made to do that at the agent's
/// start, and asked for nothing before it has.
final class DispatchSubmitter: Sendable {
    private enum Priming { case none, asked, done }

    private struct State {
        var items: [@Sendable () -> Void] = []
        var isRunning = false
        var priming = Priming.none
        /// When the item that is being submitted was begun.
        var began: MonotonicTime?
    }

    /// Submitting takes microseconds; one that takes longer than a busy machine may keep its thread
    /// waiting is held.
    private static let timeout = Duration.milliseconds(250)
    /// What waits at most.
    private static let limit = 1024
    private let state = TimedCondition(State())

    /// A root queue whose threads a host hardly has blocked: each quality of service has its own, and a
    /// pool whose threads all wait gets another one only after a second.
    static var spare: DispatchQueue { .global(qos: .userInteractive) }

    /// What an event loop of Dispatch takes, and some more for whoever is faster.
    private static let descriptorsOfADispatch = 8

    /// Has Dispatch make its event loop, unless it has been made to already, and waits for it: 0.1
    /// ms as a rule, a second at most; whether it has one.
    @discardableResult
    func prime() -> Bool {
        let isFirst = state.update { state in
            guard state.priming == .none,
                DescriptorReserve.hasRoom(for: Self.descriptorsOfADispatch)
            else { return false }
            state.priming = .asked
            return true
        }
        // The loop is made before the first item runs.
        let isAsked =
            !isFirst
            || enqueue { [self] in
                Self.spare.async { [self] in state.update { $0.priming = .done } }
            }
        guard isAsked else {
            // There is no thread for it, and nobody whose end could be waited for.
            state.update { $0.priming = .none }
            return false
        }
        let deadline = MonotonicTime.now.advanced(by: isFirst ? .seconds(1) : .zero)
        return state.wait(until: deadline) { $0.priming == .done ? true : nil } ?? false
    }

    /// Has `item` submit something.
    ///
    /// - Returns: False where it can't: there is no thread for it, or Dispatch holds that thread.
    func submit(_ item: @escaping @Sendable () -> Void) -> Bool {
        prime() && enqueue(item)
    }

    private func enqueue(_ item: @escaping @Sendable () -> Void) -> Bool {
        // The thread is made under the lock: nobody else's item may be taken in the belief that it
        // will be there.
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
