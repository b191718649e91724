#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// The parts of libdispatch's memory that can be read in this process. The offsets are in `dispatch.c`.
package struct DispatchLayout: CalibratedLayout {
    package enum Part: String, CaseIterable, Sendable {
        case queues, states, items, blocks
        case workItems = "work items"
        case syncWaiters = "threads in sync"
        case qualityOfService = "quality of service"
        case groups, semaphores, timers
    }

    /// The type of an object, determined by its first word (vtable).
    package enum Kind: Sendable, Hashable {
        case serial, concurrent, main, global, group, semaphore, source
    }

    package static let subject = "libdispatch"
    package static let essential: Set<Part> = [
        .queues, .states, .items, .syncWaiters, .groups, .semaphores,
    ]
    package static var calibration: Calibration<Self> { RuntimeCaches.current.layouts.dispatch }

    package var failures: [Part: LayoutFailure] = [:]
    var numbers = ctelltale_dispatch_layout
    /// The type of each known first word.
    package var kinds: [FirstWord: Kind] = [:]

    package init() {}

    /// The offsets in a group and in a semaphore of the futex word of their waiters.
    package var groupWord: UInt { UInt(numbers.group_word) }
    package var semaphoreWord: UInt { UInt(numbers.semaphore_word) }

    /// The first words of the objects of `kinds`.
    package func words(of kinds: Set<Kind>) -> [FirstWord] {
        self.kinds.compactMap { kinds.contains($0.value) ? $0.key : nil }
    }

    package mutating func selfTest() {
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
