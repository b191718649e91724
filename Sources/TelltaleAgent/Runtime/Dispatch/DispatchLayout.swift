#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// What of libdispatch's memory can be read in this process. The numbers stand in `dispatch.c`.
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
    static let essential: Set<Part> = [
        .queues, .states, .items, .syncWaiters, .groups, .semaphores,
    ]
    static var calibration: Calibration<Self> { RuntimeCaches.current.layouts.dispatch }

    var failures: [Part: LayoutFailure] = [:]
    var numbers = ctelltale_dispatch_layout
    /// The first words of objects.
    var kinds: [UInt: Kind] = [:]

    /// From a group and from a semaphore to the word that their waiters sleep on.
    var groupWord: UInt { UInt(numbers.group_word) }
    var semaphoreWord: UInt { UInt(numbers.semaphore_word) }

    /// The first words of the objects of `kinds`.
    func words(of kinds: Set<Kind>) -> [UInt] {
        self.kinds.compactMap { kinds.contains($0.value) ? $0.key : nil }
    }

    mutating func selfTest() {
        var test = DispatchSelfTest(layout: self)
        test.tryAll()
        self = test.layout
    }

    // MARK: What lies at an address, whatever is there

    func queue(at address: UInt) -> CTelltaleDispatchQueue? {
        var queue = CTelltaleDispatchQueue()
        let isRead = withUnsafePointer(to: numbers) {
            ctelltale_dispatch_queue($0, address, &queue)
        }
        return isRead ? queue : nil
    }

    func counter(at address: UInt) -> CTelltaleDispatchCounter? {
        var counter = CTelltaleDispatchCounter()
        let isRead = withUnsafePointer(to: numbers) {
            ctelltale_dispatch_counter($0, address, &counter)
        }
        return isRead ? counter : nil
    }

    func source(at address: UInt) -> CTelltaleDispatchSource? {
        var source = CTelltaleDispatchSource()
        let isRead = withUnsafePointer(to: numbers) {
            ctelltale_dispatch_source($0, address, &source)
        }
        return isRead && source.owner == address ? source : nil
    }

    /// Room for copies of what is read of items.
    func makePages() -> OpaquePointer? {
        withUnsafePointer(to: numbers) { ctelltale_dispatch_pages_make($0) }
    }
}
#endif
