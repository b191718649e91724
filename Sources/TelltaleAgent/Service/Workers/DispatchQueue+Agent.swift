#if TELLTALE_AGENT
import Dispatch
import TelltaleSystem

extension DispatchQueue {
    /// Calls `sync` on an agent thread. No fork of the host waits for that thread in the meantime, since
    /// `sync` may block forever.
    func syncForAgent(flags: DispatchWorkItemFlags = [], _ body: () -> Void) {
        let thread = NativeThread.current
        NativeThread.waiting {
            sync(flags: flags) {
                // The main queue's work is run by the main thread.
                if NativeThread.current == thread {
                    NativeThread.working(body)
                } else {
                    body()
                }
            }
        }
    }
}
#endif
