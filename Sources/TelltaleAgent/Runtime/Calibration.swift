#if TELLTALE_AGENT
import TelltaleSystem

/// What is learned of the runtimes when the agent starts, from objects of its own in known states.
///
/// Each has its own thread, deadline and result.
enum Calibration {
    static func begin() {
        TaskLayout.begin()
        LocalStorageLayout.begin()
        DispatchLayout.begin()
    }

    /// Waits until it is done, 2 ms as a rule: threads that are just being made or ended block all
    /// signals, and a host that crashes then has no backtrace of them ("failed to suspend thread").
    static func wait(until deadline: MonotonicTime) {
        while !(TaskLayout.now != nil && LocalStorageLayout.learnt.now != nil
            && SharedState.current.dispatch.isTried), .now < deadline
        {
            NativeThread.sleep(.milliseconds(1))
        }
    }
}
#endif
