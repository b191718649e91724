#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// The block layout of the C library's allocator. The offsets are in `heap_layout.c`.
///
/// An arena is trusted only as far as each walk over all of its blocks confirms it.
package struct HeapLayout: CalibratedLayout {
    package enum Part: String, CaseIterable, Sendable {
        case blocks = "blocks of the heap"
    }

    package static let subject = "the C library's allocator"
    package static var calibration: Calibration<Self> { RuntimeCaches.current.layouts.heap }

    package var failures: [Part: LayoutFailure] = [:]
    var numbers = ctelltale_heap_layout

    package init() {}

    package mutating func selfTest() {
        if let reason = ctelltale_heap_calibrate(&numbers) {
            self = .off(String(cString: reason))
        }
    }
}

/// The layout of the object that resumes a checked continuation (`CheckedContinuationCanary` of
/// swift-6.3.1). Only code that holds a reference to it can resume the task.
package struct ContinuationLayout: CalibratedLayout {
    package enum Part: String, CaseIterable, Sendable {
        case checked = "checked continuations"
    }

    package static let subject = "continuations"
    package static var calibration: Calibration<Self> {
        RuntimeCaches.current.layouts.continuations
    }

    package var failures: [Part: LayoutFailure] = [:]
    /// The first word (isa) of each such object.
    package var kind: UInt = 0
    /// The offset of the task.
    package let task: UInt = 16

    package init() {}

    private struct Sight: Sendable {
        var object: UInt
        var kind: UInt?
        var held: UInt?
        var task: UInt
    }

    package mutating func selfTest() {
        guard let first = sight(), let second = sight(), let kind = first.kind, kind != 0 else {
            return fail(.checked, reason: "a continuation of our own was not read back")
        }
        self.kind = kind
        expect(
            second.kind == kind && first.held == first.task && second.held == second.task
                && first.task != 0, .checked,
            "the task behind a continuation of our own was not found")
    }

    private func sight() -> Sight? {
        let here = CallersExecutor()
        let seen = Locked<Sight?>(nil)
        let offset = task
        _ = Task.detached(executorPreference: here) {
            let task = UInt(bitPattern: ctelltale_current_task())
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let object = unsafeBitCast(continuation, to: UInt.self)
                let found = Sight(
                    object: object, kind: GuardedMemory.load(UInt.self, at: object),
                    held: GuardedMemory.load(UInt.self, at: object &+ offset), task: task)
                seen.withLock { $0 = found }
                continuation.resume()
            }
        }
        here.runAll()
        return seen.withLock { $0 }
    }
}
#endif
