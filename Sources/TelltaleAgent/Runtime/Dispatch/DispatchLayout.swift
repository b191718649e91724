#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// The parts of libdispatch's memory that can be read in this process. The offsets are in `dispatch.c`.
struct DispatchLayout: CalibratedLayout {
    enum Part: String, CaseIterable, Sendable {
        case queues, states, items, blocks
        case workItems = "work items"
        case syncWaiters = "threads in sync"
        case qualityOfService = "quality of service"
        case groups, semaphores, timers
    }

    /// The type of an object, determined by its first word (vtable).
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
    /// The type of each known first word.
    var kinds: [UInt: Kind] = [:]

    /// The offsets in a group and in a semaphore of the futex word of their waiters.
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

    // MARK: Unchecked reads

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

    /// Allocates memory for copies of the pages that contain items.
    func makePages() -> OpaquePointer? {
        withUnsafePointer(to: numbers) { ctelltale_dispatch_pages_make($0) }
    }
}
#endif
