#if TELLTALE_AGENT
import CTelltaleSystem

/// SIGSEGV and SIGBUS for several successive readings of one thread (see ``GuardedReading``): taken
/// and restored for each, they cost eleven calls of the kernel.
///
/// The thread may have to wait for something; another one then restores them in its place.
package final class TakenFaults: @unchecked Sendable {  // what it has changes atomically
    private let faults: UnsafeMutablePointer<CTelltaleFaults>

    package init() {
        faults = .allocate(capacity: 1)
        faults.initialize(to: CTelltaleFaults())
    }

    deinit { faults.deallocate() }

    /// Takes them for the calling thread's reads in the next millisecond, unless they are the
    /// host's for now.
    package func take() { ctelltale_faults_take(faults) }

    /// Gives them back, on that thread.
    package func giveBack() { ctelltale_faults_give_back(faults) }

    /// Gives them back in the place of that thread, unless it reads right now. Safe from any thread.
    package func giveBackForThread() { ctelltale_faults_take_from_thread(faults) }
}
#endif
