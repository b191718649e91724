#if TELLTALE_AGENT
#if os(Linux) && (arch(x86_64) || arch(arm64))
import CTelltaleSystem
import TelltaleSystem

/// What a queue's state word says of it: suspensions, owner, width, barrier, class of service.
extension DispatchSelfTest {
    private final class Seen {
        let queue: UInt
        var state: DispatchState?
        init(queue: UInt) { self.queue = queue }
    }

    // On a queue that nobody else knows `sync` runs at once, on this thread.
    private static func stateInside(_ queue: UInt) -> DispatchState? {
        let seen = Seen(queue: queue)
        withExtendedLifetime(seen) {
            ctelltale_dispatch_sync(queue, Unmanaged.passUnretained(seen).toOpaque()) {
                guard let context = $0 else { return }
                let seen = Unmanaged<Seen>.fromOpaque(context).takeUnretainedValue()
                seen.state = DispatchSelfTest.state(of: seen.queue)
            }
        }
        return seen.state
    }

    mutating func tryStates() -> String? {
        if let failed = layout.failures[.states] { return failed.reason }
        let serial = ctelltale_dispatch_make_queue("telltale.try.states", 0, 0)
        let wide = ctelltale_dispatch_make_queue("telltale.try.width", 1, 0)
        guard serial != 0, wide != 0 else { return "a queue could not be made" }
        var suspensions = 0
        defer {
            for _ in 0..<suspensions { ctelltale_dispatch_resume(serial) }
            ctelltale_dispatch_release(serial)
            ctelltale_dispatch_release(wide)
        }
        guard let idle = Self.state(of: serial), idle.suspendCount == 0, idle.owner == nil,
            idle.widthInUse == 0, !idle.isInBarrier, !idle.isEnqueued,
            Self.state(of: wide)?.widthInUse == 0
        else { return "an idle queue of our own was not seen as one" }
        // More than fit into the state word, so that some are counted elsewhere.
        while suspensions < 70 {
            ctelltale_dispatch_suspend(serial)
            suspensions += 1
            guard Self.state(of: serial)?.suspendCount == suspensions else {
                return "suspensions of a queue of our own were not counted right"
            }
        }
        while suspensions > 0 {
            ctelltale_dispatch_resume(serial)
            suspensions -= 1
        }
        let own = Int32(truncatingIfNeeded: ctelltale_thread_id())
        guard let inside = Self.stateInside(serial), inside.owner == own,
            inside.isInBarrier, inside.widthInUse == 1
        else { return "the thread inside a queue of our own was not seen" }
        guard let reader = Self.stateInside(wide), !reader.isInBarrier,
            reader.widthInUse == 1
        else { return "a reader inside a queue of our own was not seen" }
        guard let after = Self.state(of: serial), after.owner == nil, !after.isInBarrier,
            after.suspendCount == 0
        else { return "a queue of our own was not seen to be idle again" }
        return nil
    }

    mutating func tryQualityOfService() {
        // Linux has no user-interactive class: what asks for it gets the next one.
        let expected: [(UInt32, [String?])] = [
            (0, [nil]), (0x09, ["background"]), (0x11, ["utility"]), (0x15, ["default"]),
            (0x19, ["user-initiated"]), (0x21, ["user-initiated", "user-interactive"]),
        ]
        for (qos, names) in expected {
            let queue = ctelltale_dispatch_make_queue("telltale.try.qos", 0, qos)
            guard queue != 0 else {
                return fail(.qualityOfService, reason: "a queue could not be made")
            }
            let state = Self.state(of: queue)
            ctelltale_dispatch_release(queue)
            guard let state, names.contains(state.requestedQoS) else {
                return fail(
                    .qualityOfService, reason: "that of a queue of our own was not read back")
            }
        }
    }
}
#endif
#endif
