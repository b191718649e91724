package import TelltaleSystem

/// A Swift program that runs without an agent.
package struct AgentlessProcess: Sendable {
    package var pid: Int32
    package var name: String
    package var uid: UInt32
    package var uptimeSeconds: Double
    package var residentBytes: UInt64
    /// Indicates that SIGUSR1 has its default action there and so would end it.
    package var isEndedBySignal: Bool

    /// Finds the Swift programs among `pids`, other than `agents` and clients like this one.
    ///
    /// Each executable is looked into once, three short reads of its headers. Root sees everyone's.
    package static func find(
        among pids: [Int32], except agents: Set<Int32>, uid: UInt32 = ProcessIdentity.uid
    ) -> [AgentlessProcess] {
        let own = executableIdentity(ProcessIdentity.pid)
        var verdicts: [FileIdentity: Bool] = [:]
        return pids.compactMap { pid in
            guard !agents.contains(pid), pid != ProcessIdentity.pid,
                let facts = try? FileFacts.of("/proc/\(pid)"), uid == 0 || facts.owner == uid,
                let identity = executableIdentity(pid), identity != own
            else { return nil }
            let isSwift =
                verdicts[identity] ?? ElfFile.hasSwiftMetadata("/proc/\(pid)/exe")
            verdicts[identity] = isSwift
            return isSwift ? AgentlessProcess(pid: pid, uid: facts.owner) : nil
        }
    }

    private static func executableIdentity(_ pid: Int32) -> FileIdentity? {
        (try? FileFacts.of("/proc/\(pid)/exe", followingLinks: true))?.identity
    }

    private init?(pid: Int32, uid: UInt32) {
        let files = ProcessFiles(pid: pid)
        guard let stat = files.stat, stat.state != "Z", let name = files.programName else {
            return nil
        }
        self.pid = pid
        self.uid = uid
        self.name = name
        uptimeSeconds = stat.uptimeSeconds
        residentBytes = stat.residentBytes
        let text = files.statusText ?? ""
        let masks = ["SigCgt", "SigIgn"].compactMap {
            ProcessFiles.value(of: $0, in: text).flatMap { UInt64($0, radix: 16) }
        }
        let bit: UInt64 = 1 << 9  // SIGUSR1 is 10, and bit 0 is signal 1
        isEndedBySignal = masks.allSatisfy { $0 & bit == 0 }
    }
}

extension ProcessFiles {
    /// The file name of its executable, or the kernel's name where that can't be read.
    package var programName: String? {
        guard let path = executable, let slash = path.lastIndex(of: "/") else { return name }
        let file = path[path.index(after: slash)...]
        return file.hasSuffix(" (deleted)") ? String(file.dropLast(10)) : String(file)
    }
}

extension ProcessFiles.Stat {
    package var uptimeSeconds: Double {
        max(0, ProcessFiles.secondsSinceBoot - Double(startTicks) / ProcessFiles.ticksPerSecond)
    }

    package var residentBytes: UInt64 {
        residentPages.multipliedReportingOverflow(by: ProcessFiles.pageSize).partialValue
    }
}
