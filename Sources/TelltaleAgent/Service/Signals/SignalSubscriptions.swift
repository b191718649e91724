#if TELLTALE_AGENT
import Dispatch
import TelltaleSystem

/// The host's own work on a signal: one dispatch source for each call of `Telltale.on`.
final class SignalSubscriptions: Sendable {
    private final class Subscription: Sendable {
        let signal: SignalName
        // Dispatch's objects may be used on any thread; the overlay doesn't say so.
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
                // Dispatch adds up what came while the queue was busy.
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

    /// Adds a subscription; its source runs already.
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

    /// Fires every subscription of the report's signal. The handlers run on the host's queues, not here.
    ///
    /// - Returns: False where Dispatch could not be told.
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

/// A dispatch source that runs from the start and can be resumed once too often.
///
/// Hosts write `source.resume()` after making a signal source, since Dispatch's own begins
/// suspended; on one that runs that call would end the process.
final class RunningSource: DispatchSourceProtocol, Sendable {
    // Dispatch's objects may be used on any thread; the overlay doesn't say so.
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

    // A suspended source that is let go ends the process.
    deinit {
        let left = suspensions.withLock { $0 }
        for _ in 0..<left { source.resume() }
    }
}

/// Takes a signal by `DispatchSource.makeSignalSource`, where the configuration asks for it or the
/// host has a source for the signal already.
///
/// On Linux Dispatch puts its own handler over the host's, calls it no more and never gives it
/// back, so the action is kept here and put back by ``giveBack()``. Until Dispatch has armed the
/// source on its manager thread a handler drops the signal where its default would end the process
/// (measured: 10 of 10 processes were killed otherwise); one that comes in that time is lost.
final class SourceTrap: Sendable {
    let signal: Int32
    private let kept: KeptAction
    // Dispatch's objects may be used on any thread; the overlay doesn't say so.
    nonisolated(unsafe) private let source: any DispatchSourceSignal

    init(signal: Int32) {
        self.signal = signal
        kept = KeptAction(of: signal)
        kept.dropIfDefault()
        // A target queue of our own, so that the host's queues don't delay it.
        let queue = DispatchQueue(label: "telltale.signals")
        let source = DispatchSource.makeSignalSource(signal: signal, queue: queue)
        self.source = source
        source.setEventHandler { SignalTrap.record(signal) }
        source.activate()
    }

    /// Cancels the source and puts back the action that was there before it.
    func giveBack() {
        source.cancel()
        kept.putBack()
    }
}
#endif
