#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// What of libdispatch's memory can be read in this process; see `dispatch.c` for the offsets.
struct DispatchLayout: CalibratedLayout {
    enum Part: String, CaseIterable, Sendable {
        case queues, states, items, blocks
        case workItems = "work items"
        case syncWaiters = "threads in sync"
        case qualityOfService = "quality of service"
        case groups, semaphores, timers
    }

    /// What an object is, by its first word.
    enum Kind: Sendable, Hashable {
        case serial, concurrent, main, global, group, semaphore, source
    }

    static let subject = "libdispatch"
    static var calibration: Calibration<Self> { SharedState.current.layouts.dispatch }

    var failures: [Part: LayoutFailure] = [:]
    /// The first words of objects.
    var kinds: [UInt: Kind] = [:]

    // What a thread that waits in the kernel sleeps on: of `sync`, its context
    // (`dispatch_sync_context_s`); of a group its generation; of a semaphore what is in it.
    var syncQueue: UInt = 56
    var syncFrame: UInt = 80
    var syncEvent: UInt = 96
    var syncWaiter: UInt = 100
    var groupWord: UInt = 52
    var semaphoreWord: UInt = 64

    /// The first words of the objects of `kinds`.
    func words(of kinds: Set<Kind>) -> [UInt] {
        self.kinds.compactMap { kinds.contains($0.value) ? $0.key : nil }
    }

    mutating func selfTest() {
        #if os(Linux) && (arch(x86_64) || arch(arm64))
        var test = DispatchSelfTest(layout: self)
        test.tryAll()
        self = test.layout
        #else
        self = .off("libdispatch's objects are laid out differently on this system")
        #endif
    }
}
#endif
