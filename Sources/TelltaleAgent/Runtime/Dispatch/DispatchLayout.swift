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
