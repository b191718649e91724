#if TELLTALE_COMPILED
import CTelltaleSystem

/// Keeps forks of the host apart from the agent's threads: a child that is forked while one of them is
/// in the Swift runtime inherits the runtime's lock, and nobody is there to give it back.
///
/// A fork waits until the agent's threads are quiet, at most 20 ms (200 where the cores are busy). Other
/// threads than the agent's are not concerned, and in a build without the agent there is nothing to do.
enum ForkGate {
    /// Runs a thread of the agent's.
    static func working(_ body: () -> Void) {
        #if TELLTALE_AGENT
        ctelltale_fork_enter()
        defer { _ = ctelltale_fork_leave() }
        #endif
        body()
    }

    /// Waits in the kernel: `body` is one system call.
    @inline(__always)
    static func waiting<Result>(_ body: () -> Result) -> Result {
        #if TELLTALE_AGENT
        let wasWorking = ctelltale_fork_leave()
        defer { if wasWorking { ctelltale_fork_enter() } }
        #endif
        return body()
    }
}
#endif
