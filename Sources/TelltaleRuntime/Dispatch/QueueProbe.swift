#if TELLTALE_AGENT
import CTelltaleSystem
package import Dispatch
import TelltalePicture
import TelltaleProtocol
package import TelltaleSystem

/// Measures how long a queue takes to run an item that is submitted now. An item of the host would wait as
/// long.
///
/// Unlike an owner's `sync`, the probe needs a thread of Dispatch, so an exhausted pool is detected. A
/// queue contains at most one probe. If the queue hangs, the next caller waits for the same probe instead
/// of adding another item.
package final class QueueProbe: Sendable {
    private struct State {
        var submitted: MonotonicTime?
        var latency: Duration?
    }

    private let reference: QueueReference
    package let identity: QueueIdentity
    private let state = TimedCondition(State())

    package init(queue: DispatchQueue, _ identity: QueueIdentity) {
        reference = QueueReference(queue)
        self.identity = identity
    }

    package var queue: DispatchQueue { reference.queue }

    /// Submits a probe unless one is still waiting.
    ///
    /// - Returns: False if the probe could not be submitted.
    package func start(_ submitter: DispatchSubmitter) -> Bool {
        let isNew = state.update { state in
            guard state.submitted == nil else { return false }
            state.submitted = .now
            state.latency = nil
            return true
        }
        guard isNew else { return true }
        let isSubmitted = submitter.submit { [self] in
            state.update { $0.submitted = .now }
            enqueue()
        }
        if !isSubmitted { state.update { $0.submitted = nil } }
        return isSubmitted
    }

    // Submitted as a function and not as a closure, so that captures recognise it among the waiting items
    // and leave it out.
    private func enqueue() {
        if let inner = QueueKind.inner(queue) {
            ctelltale_dispatch_leave_out(Self.function)
            let context = Unmanaged.passRetained(self).toOpaque()
            return ctelltale_dispatch_async(inner, false, context, Self.function)
        }
        queue.async { [self] in answered() }
    }

    private static let function: @convention(c) (UnsafeMutableRawPointer?) -> Void = {
        guard let context = $0 else { return }
        Unmanaged<QueueProbe>.fromOpaque(context).takeRetainedValue().answered()
    }

    private func answered() {
        let now = MonotonicTime.now
        state.update { state in
            state.latency = state.submitted.map { now.since($0) }
            state.submitted = nil
        }
    }

    /// The latency of the probe that was started; nil if it has not run by `deadline`.
    package func latency(until deadline: MonotonicTime) -> Duration? {
        state.wait(until: deadline) { $0.submitted == nil ? $0.latency : nil }
    }

    package var waiting: Duration? {
        state.update { state in state.submitted.map { MonotonicTime.now.since($0) } }
    }
}
#endif
