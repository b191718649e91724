#if TELLTALE_AGENT
#if os(Linux) && (arch(x86_64) || arch(arm64))
import CTelltaleSystem

/// Queues of our own, by their labels, numbers, widths, targets and kinds.
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
        guard label == 72, serial == 64, width == 80, target == 24 else {
            return "libdispatch says other offsets of its queues than are known"
        }
        let names = [
            "telltale.try.serial", "telltale.try.concurrent", "telltale.try.inactive",
        ]
        let made = names.enumerated().map {
            ctelltale_dispatch_make_queue($0.element, Int32($0.offset), 0)
        }
        guard made.allSatisfy({ $0 != 0 }) else { return "a queue could not be made" }
        defer {
            ctelltale_dispatch_activate(made[2])
            for queue in made { ctelltale_dispatch_release(queue) }
        }
        let read = made.compactMap(Self.read)
        guard read.count == 3 else { return "the process's memory can't be read" }
        for (words, name) in zip(read, names)
        where DispatchText.string(at: words.label, limit: 64) != name {
            return "the label of a queue of our own was not read back"
        }
        guard read[0].serial > 0, read[1].serial > read[0].serial,
            read[2].serial > read[1].serial
        else { return "the serial numbers of queues of our own were not read back" }
        let states = read.map(DispatchState.init)
        guard states[0].width == 1, states[1].width > 1, states[2].width == 1 else {
            return "the widths of queues of our own were not read back"
        }
        let globals = Self.globalQueues
        guard globals.contains(read[0].target), globals.contains(read[1].target) else {
            return "the targets of queues of our own were not read back"
        }
        for (words, kind) in zip(read, [DispatchLayout.Kind.serial, .concurrent]) {
            layout.kinds[words.kind_less_one &+ 1] = kind
        }
        if let words = Self.read(ctelltale_dispatch_main_queue()) {
            layout.kinds[words.kind_less_one &+ 1] = .main
        }
        if let first = globals.first, let words = Self.read(first) {
            layout.kinds[words.kind_less_one &+ 1] = .global
        }
        guard layout.kinds.count == 4 else { return "kinds of queues can't be told apart" }
        if !(states[2].isInactive && !states[0].isInactive && !states[1].isInactive) {
            fail(.states, reason: "an inactive queue of our own was not seen as one")
        }
        return nil
    }

    /// The global queues that there are, by asking for them.
    static var globalQueues: [UInt] {
        var all: [UInt] = []
        for qos: UInt32 in [0x05, 0x09, 0x11, 0x15, 0x19, 0x21] {
            for overcommit in [false, true] {
                let queue = ctelltale_dispatch_global_queue(qos, overcommit)
                if queue != 0, !all.contains(queue) { all.append(queue) }
            }
        }
        return all
    }
}
#endif
#endif
