#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

extension LimitsCommand: AgentCommand {
    static func run(
        _ parameters: NoParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let own = ProcessFiles.own
        let status = own.statusText ?? ""
        let threads = number("Threads", in: status)
        return LimitsAnswer(limits: [
            entry(
                "descriptors", .descriptors, by: "RLIMIT_NOFILE", unit: "count",
                used: own.descriptorCount.map { UInt64($0) }),
            group(
                "cgroup threads", .pids, unit: "count",
                note: threads.map { "\($0) in this process" }),
            entry(
                "threads of the user", .processes, by: "RLIMIT_NPROC", unit: "count",
                gap: "the kernel does not show how many of them are used"),
            group("cgroup memory", .memory, unit: "bytes", note: nil),
            entry(
                "address space", .addressSpace, by: "RLIMIT_AS", used: number("VmSize", in: status)),
            entry("data", .data, by: "RLIMIT_DATA", used: number("VmData", in: status)),
            entry(
                "locked memory", .lockedMemory, by: "RLIMIT_MEMLOCK",
                used: number("VmLck", in: status)),
            entry("core size", .core, by: "RLIMIT_CORE", isUsed: false),
        ])
    }

    private static func entry(
        _ name: String, _ resource: ResourceLimit.Resource, by: String, unit: String = "bytes",
        used: UInt64? = nil, gap: String? = nil, isUsed: Bool = true
    ) -> Answer.Entry {
        guard let limit = ProcessFiles.own.limit(resource) else {
            return Answer.Entry(
                name, by: by, unit: unit, used: used, gap: "/proc/self/limits can't be read")
        }
        let missing = isUsed && used == nil ? gap ?? "what is used: /proc/self can't be read" : nil
        return Answer.Entry(
            name, by: by, unit: unit, soft: limit.soft, hard: limit.hard, used: used, gap: missing)
    }

    /// Returns a limit of the control group of the process, which it may share with other processes.
    private static func group(
        _ name: String, _ controller: ControlGroup.Controller, unit: String, note: String?
    ) -> Answer.Entry {
        let by = "cgroup \(controller.rawValue)"
        guard let text = SmallFile.text(of: "/proc/self/cgroup"),
            let group = ControlGroup(controller, of: text)
        else {
            return Answer.Entry(
                name, by: by, unit: unit, gap: Answer.noGroup, note: note)
        }
        return Answer.Entry(
            name, by: by, unit: unit, soft: group.bound, hard: group.bound, used: group.used,
            gap: group.used == nil ? "what is used: the group can't be read" : nil, note: note)
    }

    /// Reads a number from `/proc/self/status`, converted to bytes if it is given in kB.
    private static func number(_ name: String, in status: String) -> UInt64? {
        guard let text = ProcessFiles.value(of: name, in: status) else { return nil }
        let words = text.split(separator: " ")
        return words.first.flatMap { UInt64($0) }.map { words.last == "kB" ? $0 << 10 : $0 }
    }
}
#endif
