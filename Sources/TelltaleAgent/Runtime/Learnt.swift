#if TELLTALE_AGENT
import CTelltaleSystem
import Synchronization
import TelltaleSystem

/// What one calibration came to.
///
/// Written once, and read without a lock: a forked child would inherit a held one.
final class Learnt<Value: Sendable>: Sendable {
    private final class Outcome: Sendable {
        let result: Result<Value, Reason>
        init(_ result: Result<Value, Reason>) { self.result = result }
    }

    /// Why it is not available.
    struct Reason: Error, CustomStringConvertible {
        var description: String
    }

    private let pointer = Atomic<UInt>(0)
    /// One more than the forks behind the process in which it was begun; 0 before that.
    private let begunIn = Atomic<UInt32>(0)

    init() {}

    /// Begins to learn it on a thread of its own, unless that has been done.
    ///
    /// A thread of the parent's never comes back in a child: what it had not finished is begun anew.
    ///
    /// - Parameters:
    ///   - body: Learns it; is told whether the process is a forked child.
    ///   - reason: Why nothing is learnt where no thread could be had.
    func begin(
        _ body: @escaping @Sendable (_ isChild: Bool) -> Void,
        orFail reason: (SystemError) -> String
    ) {
        guard now == nil else { return }
        let mark = ctelltale_fork_generation() &+ 1
        guard begunIn.exchange(mark, ordering: .relaxed) != mark else { return }
        do throws(SystemError) {
            try NativeThread.start(name: "telltale-learn") { body(mark > 1) }
        } catch {
            fail(reason(error))
        }
    }

    /// Keeps what was learnt; a second call changes nothing.
    func set(_ value: Value) { store(.success(value)) }

    /// Keeps why nothing was learnt: a step that did not hold.
    func fail(_ reason: String) { store(.failure(Reason(description: reason))) }

    private func store(_ result: Result<Value, Reason>) {
        // Kept for good, as a reader may have it in hand.
        let made = Unmanaged.passRetained(Outcome(result))
        let address = UInt(bitPattern: made.toOpaque())
        let (exchanged, _) = pointer.compareExchange(
            expected: 0, desired: address, ordering: .acquiringAndReleasing)
        if !exchanged { made.release() }
    }

    /// What was learnt, or why it is not available; nil while it isn't known.
    var now: Result<Value, Reason>? {
        let known = UnsafeRawPointer(bitPattern: pointer.load(ordering: .acquiring))
        return known.map { Unmanaged<Outcome>.fromOpaque($0).takeUnretainedValue().result }
    }

    /// What was learnt, waiting for it a moment: 2 ms as a rule, right after `start()`.
    ///
    /// - Parameter deadline: When to stop waiting.
    /// - Returns: The value, or why it is not available.
    func value(until deadline: MonotonicTime) -> Result<Value, Reason> {
        while true {
            if let known = now { return known }
            guard MonotonicTime.now < deadline else {
                return .failure(
                    Reason(description: "it could not be learnt at the agent's start"))
            }
            NativeThread.sleep(.milliseconds(1))
        }
    }
}
#endif
