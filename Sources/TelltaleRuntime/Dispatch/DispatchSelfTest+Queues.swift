#if TELLTALE_AGENT
import CTelltaleSystem
import Dispatch
import TelltaleSystem

/// Tests queues of our own: labels, serial numbers, widths, targets, kinds and states.
extension DispatchSelfTest {
    mutating func tryQueues() -> String? {
        var label: UInt16 = 0
        var serial: UInt16 = 0
        var width: UInt16 = 0
        var target: UInt16 = 0
        let version = ctelltale_dispatch_table(&label, &serial, &width, &target)
        guard version >= 6 else {
            return "libdispatch says no offsets of its queues, or in another form"
        }
        let numbers = layout.numbers
        guard label == numbers.queue_label, serial == numbers.queue_serial,
            width == numbers.queue_flags, target == numbers.object_target
        else { return "libdispatch says other offsets of its queues than are known" }
        let names = [
            "telltale.layout.serial", "telltale.layout.concurrent", "telltale.layout.inactive",
        ]
        let made = names.enumerated().map {
            ctelltale_dispatch_make_queue($0.element, Int32($0.offset), 0)
        }
        guard made.allSatisfy({ $0 != 0 }) else { return "a queue could not be made" }
        defer {
            ctelltale_dispatch_activate(made[2])
            for queue in made { ctelltale_dispatch_release(queue) }
        }
        let read = made.compactMap { layout.queue(at: $0) }
        guard read.count == 3 else { return "the process's memory can't be read" }
        for (queue, name) in zip(read, names)
        where DispatchText.string(at: queue.label, limit: 64) != name {
            return "the label of a queue of our own was not read back"
        }
        guard read[0].serial > 0, read[1].serial > read[0].serial,
            read[2].serial > read[1].serial
        else { return "the serial numbers of queues of our own were not read back" }
        guard read[0].width == 1, (2...0xFFF).contains(read[1].width), read[2].width == 1 else {
            return "the widths of queues of our own were not read back"
        }
        let globals = Self.globalQueues
        guard globals.contains(read[0].target), globals.contains(read[1].target) else {
            return "the targets of queues of our own were not read back"
        }
        guard isCounted(made[0], read[0]) else {
            return "the references to a queue of our own were not read back"
        }
        guard findKinds(serial: read[0], concurrent: read[1], globals) else {
            return "kinds of queues can't be told apart"
        }
        layout.expect(
            read[2].is_inactive && !read[0].is_inactive && !read[1].is_inactive, .states,
            "an inactive queue of our own was not seen as one")
        return nil
    }

    /// Returns true if both reference counts are found at their offsets: the one for references from
    /// outside of Dispatch, and the internal one.
    private func isCounted(_ queue: UInt, _ before: CTelltaleDispatchQueue) -> Bool {
        ctelltale_dispatch_retain(queue)
        let outer = layout.queue(at: queue)
        ctelltale_dispatch_release(queue)
        ctelltale_dispatch_suspend(queue)
        let inner = layout.queue(at: queue)
        ctelltale_dispatch_resume(queue)
        guard before.is_counted, let outer, outer.is_counted, let inner else { return false }
        return outer.outer_references == before.outer_references + 1
            && outer.references == before.references && inner.references > before.references
            && inner.outer_references == before.outer_references
    }

    private mutating func findKinds(
        serial: CTelltaleDispatchQueue, concurrent: CTelltaleDispatchQueue, _ globals: [UInt]
    ) -> Bool {
        layout.kinds[FirstWord(serial.kind_less_one &+ 1)] = .serial
        layout.kinds[FirstWord(concurrent.kind_less_one &+ 1)] = .concurrent
        if let queue = layout.queue(at: ctelltale_dispatch_main_queue()) {
            layout.kinds[FirstWord(queue.kind_less_one &+ 1)] = .main
        }
        if let queue = globals.first.flatMap({ layout.queue(at: $0) }) {
            layout.kinds[FirstWord(queue.kind_less_one &+ 1)] = .global
        }
        return layout.kinds.count == 4
    }

    // MARK: States

    mutating func tryStates() -> String? {
        if let failed = layout.failures[.states] { return failed.reason }
        let serial = ctelltale_dispatch_make_queue("telltale.layout.states", 0, 0)
        let wide = ctelltale_dispatch_make_queue("telltale.layout.width", 1, 0)
        guard serial != 0, wide != 0 else { return "a queue could not be made" }
        var suspensions: UInt32 = 0
        defer {
            for _ in 0..<suspensions { ctelltale_dispatch_resume(serial) }
            ctelltale_dispatch_release(serial)
            ctelltale_dispatch_release(wide)
        }
        func read(_ queue: UInt) -> CTelltaleDispatchQueue? { layout.queue(at: queue) }
        guard let idle = read(serial), idle.suspensions == 0, idle.owner == 0, idle.role == 1,
            idle.width_in_use == 0, !idle.is_in_barrier, !idle.is_enqueued,
            !idle.is_bound_to_thread, !idle.is_cancelled, !idle.has_pending_barrier,
            read(wide)?.width_in_use == 0
        else { return "an idle queue of our own was not seen as one" }
        // More suspensions than fit into the state word, so that some are counted in the side counter.
        while suspensions < 70 {
            ctelltale_dispatch_suspend(serial)
            suspensions += 1
            guard let now = read(serial), now.suspensions == suspensions, !now.is_inactive else {
                return "suspensions of a queue of our own were not counted right"
            }
        }
        while suspensions > 0 {
            ctelltale_dispatch_resume(serial)
            suspensions -= 1
        }
        let own = Int32(truncatingIfNeeded: ctelltale_thread_id())
        guard let inside = Self.inside(serial, { read(serial) }), let inside, inside.owner == own,
            inside.is_in_barrier, inside.width_in_use == 1
        else { return "the thread inside a queue of our own was not seen" }
        let readers = Self.inside(wide) { (read(wide), Self.inside(wide) { read(wide) }) }
        guard let one = readers?.0, !one.is_in_barrier, one.width_in_use == 1,
            let two = readers?.1, two?.width_in_use == 2
        else { return "readers inside a queue of our own were not seen" }
        guard let after = read(serial), after.owner == 0, !after.is_in_barrier,
            after.suspensions == 0
        else { return "a queue of our own was not seen to be idle again" }
        return nil
    }

    mutating func tryQualityOfService() {
        // Linux has no user-interactive class: a request for it gets the next lower one.
        let expected: [(UInt32, [UInt8])] = [
            (0, [0]), (0x09, [2]), (0x11, [3]), (0x15, [4]), (0x19, [5]), (0x21, [5, 6]),
        ]
        for (qos, classes) in expected {
            let address = ctelltale_dispatch_make_queue("telltale.layout.qos", 0, qos)
            guard address != 0 else {
                return layout.fail(.qualityOfService, reason: "a queue could not be made")
            }
            let queue = layout.queue(at: address)
            ctelltale_dispatch_release(address)
            guard let queue, classes.contains(queue.requested_qos) else {
                return layout.fail(
                    .qualityOfService, reason: "that of a queue of our own was not read back")
            }
        }
        let usual = layout.queue(at: ctelltale_dispatch_global_queue(0x15, false))
        layout.expect(
            usual.map { max($0.requested_qos, $0.fallback_qos) == 4 } == true, .qualityOfService,
            "that of a global queue was not read back")
    }
}
#endif
