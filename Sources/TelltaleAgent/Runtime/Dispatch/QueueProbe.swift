#if TELLTALE_AGENT
import CTelltaleSystem
import Dispatch
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// Measures how long a queue takes to run what is submitted to it now, which is what an item of
/// the host's would wait.
///
/// Unlike an owner's `sync` this needs a thread of Dispatch, so that an exhausted pool shows. One
/// probe at most lies in a queue: on a queue that hangs, the next caller waits for the same one
/// instead of adding to what waits.
final class QueueProbe: Sendable {
    private struct State {
        var submitted: MonotonicTime?
        var latency: Duration?
    }

    private let reference: QueueReference
    let identity: QueueIdentity
    private let state = TimedCondition(State())

    init(queue: DispatchQueue, _ identity: QueueIdentity) {
        reference = QueueReference(queue)
        self.identity = identity
    }

    var queue: DispatchQueue { reference.queue }

    /// Submits a probe unless one still waits.
    ///
    /// - Returns: False where none could be submitted.
    func start(_ submitter: DispatchSubmitter) -> Bool {
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

    // As a function and not as a closure, so that it is known among what waits.
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

    /// The latency of the probe that was started, or nil at `deadline`.
    func latency(until deadline: MonotonicTime) -> Duration? {
        state.wait(until: deadline) { $0.submitted == nil ? $0.latency : nil }
    }

    var waiting: Duration? {
        state.update { state in state.submitted.map { MonotonicTime.now.since($0) } }
    }
}
#endif
