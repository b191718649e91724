#if TELLTALE_AGENT
import Dispatch
import TelltaleSystem

extension DispatchQueue {
    /// `sync` by a thread of the agent's, for which no fork of the host's waits meanwhile: it may take for good.
    func syncForAgent(flags: DispatchWorkItemFlags = [], _ body: () -> Void) {
        let thread = NativeThread.current
        NativeThread.waiting {
            sync(flags: flags) {
                // What the main queue runs is run by its own thread.
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
