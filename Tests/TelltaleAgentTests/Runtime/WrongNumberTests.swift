#if DEBUG
import CTelltaleSystem
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleRuntime

/// Each number of a private layout is wrong once, and its self-test finds that out; or it is known
/// that none can.
@Suite(.serialized) struct WrongNumberTests {
    /// One number of a layout in C, all of which are 32 bits.
    struct Number: CustomStringConvertible {
        var name: String
        var place: Int
        var wrong: UInt32
        var description: String { "\(name) \(wrong)" }

        func put<Numbers>(into numbers: inout Numbers) {
            withUnsafeMutableBytes(of: &numbers) {
                $0.storeBytes(of: wrong, toByteOffset: place * 4, as: UInt32.self)
            }
        }
    }

    private static func numbers<Numbers>(of numbers: Numbers, flags: Set<String>) -> [Number] {
        let fields = Mirror(reflecting: numbers).children
        return fields.enumerated().compactMap { place, field in
            guard let name = field.label, let value = field.value as? UInt32 else { return nil }
            let wrong: UInt32 =
                if name.hasSuffix("_mask") || name == "status_known" {
                    ~value
                } else if name.hasSuffix("_bit") {
                    value + 1
                } else if name == "refs_timer" || flags.contains(where: name.hasPrefix) {
                    value << 1
                } else {
                    value + 8
                }
            return Number(name: name, place: place, wrong: wrong)
        }
    }

    // Nothing of our own can have it without a timer that stays for its time, and it tells
    // `asyncAfter` from other timers in what is shown alone; the main queue has its mark only
    // where its thread doesn't run `dispatchMain()`. What a source watches is only shown.
    private static let unprovenQueueNumbers: Set<String> = [
        "refs_after", "flags_bound", "refs_ident",
    ]

    // The largest kind of a job, the first private record and an actor's size only bound what is
    // believed; what the helper of a sleep has captured is compared with the tasks that there are.
    // All tasks of the stage prefer an executor, whose bit is next to that of a dependency, and
    // its actor has not sorted its jobs yet.
    private static let unprovenTaskNumbers: Set<String> = [
        "job_last_kind", "record_first_private", "actor_size", "closure_captured",
        "status_has_dependency", "actor_queue",
    ]

    @Test("the page says of how many numbers no self-test can tell")
    func page() throws {
        #expect(Self.unprovenQueueNumbers.count + Self.unprovenTaskNumbers.count == 9)
        let page = try RepositoryFile.text("Docs/Dispatch.md")
        #expect(page.contains("except for nine that it lists"))
    }

    @Test("a wrong number of libdispatch's is found out")
    func dispatch() {
        let numbers = Self.numbers(
            of: ctelltale_dispatch_layout,
            flags: [
                "flags_", "group_waiters", "group_notify", "group_step", "item_sync_waiter",
                "item_barrier", "item_group", "item_block", "item_work", "work_cancelled",
                "refs_after", "state_width_full",
            ])
        #expect(numbers.count == MemoryLayout<CTelltaleDispatchLayout>.size / 4)
        for number in numbers where !Self.unprovenQueueNumbers.contains(number.name) {
            var layout = DispatchLayout()
            number.put(into: &layout.numbers)
            layout.selfTest()
            #expect(!layout.failures.isEmpty, "\(number)")
        }
    }

    @Test("a wrong number of a task's or an actor's is found out")
    func tasks() {
        let numbers = Self.numbers(of: ctelltale_task_layout, flags: ["status_"])
        #expect(numbers.count == MemoryLayout<CTelltaleTaskLayout>.size / 4)
        for number in numbers where !Self.unprovenTaskNumbers.contains(number.name) {
            var layout = TaskLayout()
            number.put(into: &layout.numbers)
            layout.selfTest()
            #expect(!layout.failures.isEmpty, "\(number)")
        }
    }

    @Test("a wrong number of a lock's is found out")
    func locks() {
        let disturb: [(inout LockLayout) -> Void] = [
            { $0.mutexWord += 4 }, { $0.mutexOwner += 4 }, { $0.readersWord += 8 },
            { $0.writersWord += 8 }, { $0.writer += 4 },
        ]
        for (index, disturb) in disturb.enumerated() {
            var layout = LockLayout()
            disturb(&layout)
            layout.selfTest()
            #expect(!layout.failures.isEmpty, "number \(index)")
        }
    }

    @Test("a wrong bit of a lock's word is found out")
    func lockBits() {
        var contended = LockLayout()
        contended.mutexContended = 1
        contended.selfTest()
        #expect(contended.failures.keys.contains(.mutexes))
        var owned = LockLayout()
        owned.ownerMask = ~owned.ownerMask
        owned.selfTest()
        #expect(owned.failures.keys.contains(.inheritingLocks))
    }

    @Test("a wrong place of the queue behind Swift's object is found out")
    func queueObjects() {
        var layout = QueueObjectLayout()
        layout.queue += 8
        layout.selfTest()
        #expect(!layout.has(.queues) && !layout.has(.widths))
    }
}
#endif
