#if TELLTALE_COMPILED
/// The further memory that this process can have, by the control groups that it is in and by the
/// machine.
///
/// Files that were read or written count as free, unless they are mapped: the kernel drops them before it ends
/// a process.
package struct MemoryHeadroom: Sendable, Equatable {
    /// The memory available before a group is throttled (`memory.high`) or full, or the machine
    /// swaps; `nil` if unknown.
    package var free: UInt64?
    /// The memory available before the kernel ends a process, swap included; `nil` if unknown.
    package var untilKilled: UInt64?
    /// The parts that could not be read; `nil` if all could.
    package var gap: String?

    package static var now: MemoryHeadroom {
        MemoryHeadroom(
            machine: SmallFile.text(of: "/proc/meminfo"),
            overcommit: SmallFile.text(of: "/proc/sys/vm/overcommit_memory"),
            groups: SmallFile.text(of: "/proc/self/cgroup"))
    }

    /// Takes the texts of `/proc/meminfo`, `/proc/sys/vm/overcommit_memory` and `/proc/self/cgroup`.
    package init(
        machine: String?, overcommit: String?, groups: String?,
        mountedAt mount: String = "/sys/fs/cgroup"
    ) {
        guard let machine, let available = Self.bytes("MemAvailable", in: machine) else {
            gap = "/proc/meminfo can't be read"
            return
        }
        let swap = Self.bytes("SwapFree", in: machine) ?? 0
        add(free: available, untilKilled: available &+ swap)
        // If the kernel promises no more than it has (2), the host's own allocations fail at this
        // limit.
        if overcommit?.first == "2", let limit = Self.bytes("CommitLimit", in: machine),
            let promised = Self.bytes("Committed_AS", in: machine)
        {
            let left = Self.left(of: limit, promised)
            add(free: left, untilKilled: left)
        }
        guard let groups else {
            gap = "/proc/self/cgroup can't be read"
            return
        }
        guard let levels = ControlGroup.levels(of: .memory, in: groups, mountedAt: mount) else {
            return
        }
        for folder in levels.folders {
            levels.version == 1 ? addVersionOne(folder, swap) : addVersionTwo(folder, swap)
        }
        // The top of version 2 has no bound of its own, and no file that would say so.
        let mark = levels.version == 1 ? "memory.limit_in_bytes" : "cgroup.controllers"
        let tops = levels.folders.suffix(1) + (levels.version == 1 ? [] : ["\(mount)/unified"])
        if tops.allSatisfy({ SmallFile.text(of: "\($0)/\(mark)") == nil }) {
            gap = "the control group's bound can't be read"
        }
    }

    /// Counts so much as used.
    mutating func take(_ bytes: UInt64) {
        free = free.map { Self.left(of: $0, bytes) }
        untilKilled = untilKilled.map { Self.left(of: $0, bytes) }
    }

    private mutating func add(free: UInt64, untilKilled: UInt64) {
        self.free = min(self.free ?? .max, free)
        self.untilKilled = min(self.untilKilled ?? .max, untilKilled)
    }

    private mutating func addVersionTwo(_ folder: String, _ swap: UInt64) {
        guard let used = Self.used(folder, "memory.current", prefix: "", mapped: "file_mapped")
        else {
            return
        }
        if let high = Self.bound(folder, "memory.high") {
            free = min(free ?? .max, Self.left(of: high, used))
        }
        guard let most = Self.bound(folder, "memory.max") else { return }
        let left = Self.left(of: most, used)
        var swapped = swap
        if let most = Self.bound(folder, "memory.swap.max") {
            let used = Self.number(folder, "memory.swap.current") ?? 0
            swapped = min(swapped, Self.left(of: most, used))
        }
        add(free: left, untilKilled: left &+ swapped)
    }

    private mutating func addVersionOne(_ folder: String, _ swap: UInt64) {
        guard let most = Self.bound(folder, "memory.limit_in_bytes"),
            let used = Self.usedOfVersionOne(folder, "memory.usage_in_bytes")
        else { return }
        let left = Self.left(of: most, used)
        var untilKilled = left &+ swap
        // Bounds memory and swap together.
        if let most = Self.bound(folder, "memory.memsw.limit_in_bytes"),
            let used = Self.usedOfVersionOne(folder, "memory.memsw.usage_in_bytes")
        {
            untilKilled = min(untilKilled, Self.left(of: most, used))
        }
        add(free: left, untilKilled: untilKilled)
    }

    // MARK: Files

    private static func left(of bound: UInt64, _ used: UInt64) -> UInt64 {
        bound > used ? bound - used : 0
    }

    private static func bound(_ folder: String, _ file: String) -> UInt64? {
        SmallFile.text(of: "\(folder)/\(file)").flatMap(ControlGroup.bound)
    }

    private static func number(_ folder: String, _ file: String) -> UInt64? {
        ControlGroup.number(SmallFile.text(of: "\(folder)/\(file)"))
    }

    /// Returns the usage of a group without the files that the kernel would drop.
    private static func used(
        _ folder: String, _ file: String, prefix: String, mapped: String
    ) -> UInt64? {
        guard let all = number(folder, file) else { return nil }
        let lines = SmallFile.text(of: "\(folder)/memory.stat")?.split(separator: "\n") ?? []
        func bytes(_ name: String) -> UInt64 {
            let name = "\(prefix)\(name) "
            let line = lines.first { $0.hasPrefix(name) }
            return line.flatMap { UInt64($0.dropFirst(name.utf8.count)) } ?? 0
        }
        let files = left(of: bytes("inactive_file") &+ bytes("active_file"), bytes(mapped))
        return left(of: all, files)
    }

    private static func usedOfVersionOne(_ folder: String, _ file: String) -> UInt64? {
        used(folder, file, prefix: "total_", mapped: "mapped_file")
    }

    /// A value of `/proc/meminfo` or `/proc/PID/status`, which are in kB.
    static func bytes(_ name: String, in text: String) -> UInt64? {
        ProcessFiles.value(of: name, in: text).flatMap { UInt64($0.prefix { $0.isNumber }) }.map {
            $0 << 10
        }
    }
}
#endif
