#if TELLTALE_AGENT
import Dispatch
import TelltaleRuntime
import TelltaleSystem

/// The host's signal handlers: one dispatch source for each call of `Telltale.on`.
final class SignalSubscriptions: Sendable {
    private final class Subscription: Sendable {
        let signal: SignalName
        // Dispatch objects may be used on any thread, although the overlay doesn't declare it.
        nonisolated(unsafe) let source: any DispatchSourceUserDataAdd
        private let latest: Locked<SignalReport>

        init(
            signal: SignalName, queue: DispatchQueue,
            handler: @escaping @Sendable (SignalReport) -> Void
        ) {
            self.signal = signal
            let source = DispatchSource.makeUserDataAddSource(queue: queue)
            self.source = source
            latest = Locked(SignalReport(signal: signal, count: 0))
            source.setEventHandler { [self] in
                var report = latest.withLock { $0 }
                // Dispatch adds up the signals that arrived while the queue was busy.
                report.count = Int(clamping: source.data)
                handler(report)
            }
        }

        func fire(_ report: SignalReport) {
            latest.withLock { $0 = report }
            source.add(data: UInt(clamping: max(1, report.count)))
        }
    }

    private let subscriptions = Locked<[Subscription]>([])

    /// Adds a subscription; its source is already active.
    func add(
        _ signal: SignalName, queue: DispatchQueue,
        handler: @escaping @Sendable (SignalReport) -> Void
    ) -> any DispatchSourceProtocol {
        let subscription = Subscription(signal: signal, queue: queue, handler: handler)
        subscriptions.withLock { subscriptions in
            subscriptions.removeAll { $0.source.isCancelled }
            subscriptions.append(subscription)
        }
        subscription.source.activate()
        return RunningSource(subscription.source)
    }

    var signals: Set<SignalName> {
        subscriptions.withLock { subscriptions in
            Set(subscriptions.filter { !$0.source.isCancelled }.map(\.signal))
        }
    }

    /// Fires every subscription to the report's signal. The handlers run on the host's queues, not here.
    ///
    /// - Returns: False if the call could not be submitted to Dispatch.
    func fire(_ report: SignalReport, through submitter: DispatchSubmitter) -> Bool {
        let matching = subscriptions.withLock { subscriptions in
            subscriptions.filter { $0.signal == report.signal && !$0.source.isCancelled }
        }
        guard !matching.isEmpty else { return true }
        return submitter.submit {
            for subscription in matching { subscription.fire(report) }
        }
    }
}

/// A dispatch source that is active from the start and tolerates one `resume()` too many.
///
/// Hosts write `source.resume()` after creating a signal source, since Dispatch's own sources start
/// suspended; on an active source that call would end the process.
final class RunningSource: DispatchSourceProtocol, Sendable {
    // Dispatch objects may be used on any thread, although the overlay doesn't declare it.
    nonisolated(unsafe) private let source: any DispatchSourceUserDataAdd
    private let suspensions = Locked(0)

    init(_ source: any DispatchSourceUserDataAdd) { self.source = source }

    func setEventHandler(
        qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: DispatchSourceHandler?
    ) { source.setEventHandler(qos: qos, flags: flags, handler: handler) }

    func setEventHandler(handler: DispatchWorkItem) {
        source.setEventHandler(handler: handler)
    }

    func setCancelHandler(
        qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: DispatchSourceHandler?
    ) { source.setCancelHandler(qos: qos, flags: flags, handler: handler) }

    func setCancelHandler(handler: DispatchWorkItem) {
        source.setCancelHandler(handler: handler)
    }

    func setRegistrationHandler(
        qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: DispatchSourceHandler?
    ) { source.setRegistrationHandler(qos: qos, flags: flags, handler: handler) }

    func setRegistrationHandler(handler: DispatchWorkItem) {
        source.setRegistrationHandler(handler: handler)
    }

    func cancel() { source.cancel() }
    func activate() { source.activate() }

    func resume() {
        let wasSuspended = suspensions.withLock { count in
            guard count > 0 else { return false }
            count -= 1
            return true
        }
        if wasSuspended { source.resume() }
    }

    func suspend() {
        suspensions.withLock { $0 += 1 }
        source.suspend()
    }

    var handle: UInt { source.handle }
    var mask: UInt { source.mask }
    var data: UInt { source.data }
    var isCancelled: Bool { source.isCancelled }

    // Releasing a suspended source ends the process.
    deinit {
        let left = suspensions.withLock { $0 }
        for _ in 0..<left { source.resume() }
    }
}

/// Receives a signal by `DispatchSource.makeSignalSource`, if the configuration asks for it or the host
/// already has a source for the signal.
///
/// On Linux Dispatch replaces the host's handler with its own, no longer calls the host's handler and never
/// restores it. So the action is kept here and restored by ``giveBack()``. Until Dispatch has armed the
/// source on its manager thread, a handler drops the signal if its default action would end the process
/// (measured: 10 of 10 processes were killed otherwise); a signal that arrives in that time is lost.
final class SourceTrap: Sendable {
    let signal: Int32
    private let kept: KeptAction
    // Dispatch objects may be used on any thread, although the overlay doesn't declare it.
    nonisolated(unsafe) private let source: any DispatchSourceSignal

    init(signal: Int32) {
        self.signal = signal
        kept = KeptAction(of: signal)
        kept.dropIfDefault()
        // A target queue of the agent's own, so that the host's queues don't delay the source.
        let queue = DispatchQueue(label: "telltale.signals")
        let source = DispatchSource.makeSignalSource(signal: signal, queue: queue)
        self.source = source
        source.setEventHandler { SignalTrap.record(signal) }
        source.activate()
    }

    /// Cancels the source and restores the previous action.
    func giveBack() {
        source.cancel()
        kept.putBack()
    }
}
#endif
