#if TELLTALE_AGENT
import Dispatch
import TelltaleSystem

/// Takes a signal by `DispatchSource.makeSignalSource`, where the configuration asks for it or the
/// host has a source for the signal already.
///
/// On Linux Dispatch puts its own handler over the host's, calls it no more and never gives it
/// back, so the action is kept here and put back by ``giveBack()``. Until Dispatch has armed the
/// source on its manager thread the signal is ignored where its default would end the process
/// (measured: 10 of 10 processes were killed otherwise); one that comes in that time is lost.
final class SourceTrap: Sendable {
    let signal: Int32
    private let kept: KeptAction
    // Dispatch's objects may be used on any thread; the overlay doesn't say so.
    nonisolated(unsafe) private let source: any DispatchSourceSignal

    init(signal: Int32) {
        self.signal = signal
        kept = KeptAction(of: signal)
        kept.ignoreIfDefault()
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
