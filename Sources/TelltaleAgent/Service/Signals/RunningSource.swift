#if TELLTALE_AGENT
import Dispatch
import TelltaleSystem

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
#endif
