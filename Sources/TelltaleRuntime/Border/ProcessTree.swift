#if TELLTALE_AGENT
import TelltalePicture
import TelltaleSystem

/// The children of this process and theirs, as far as `/proc` shows them.
struct ProcessTree {
    /// The maximum number of processes that are looked at.
    private static let most = 256

    private let deadline: MonotonicTime
    /// Sentences about missing parts.
    private(set) var gaps: [String] = []

    init(until deadline: MonotonicTime) { self.deadline = deadline }

    /// Reads them, parents before their children.
    mutating func read() -> [BorderFacts.Process] {
        var found: [BorderFacts.Process] = []
        var waiting = Self.children(of: "self")
        guard let first = waiting else {
            gaps.append("child processes are not known: /proc has no list of them")
            return []
        }
        waiting = first
        var next = 0
        var all = first
        while next < all.count {
            guard found.count < Self.most, MonotonicTime.now < deadline else {
                gaps.append("\(all.count - next) child processes or more were not looked at")
                break
            }
            let pid = all[next]
            next += 1
            guard let process = Self.process(pid) else { continue }
            found.append(process)
            all += Self.children(of: "\(pid)") ?? []
        }
        return found
    }

    /// The kernel lists them by the thread that made them (proc(5), since Linux 3.5).
    private static func children(of process: String) -> [Int32]? {
        var isThere = false
        var found: [Int32] = []
        for thread in DirectoryListing.names(in: "/proc/\(process)/task") {
            guard let text = SmallFile.text(of: "/proc/\(process)/task/\(thread)/children") else {
                continue
            }
            isThere = true
            found += text.split(whereSeparator: { $0 == " " || $0 == "\n" }).compactMap {
                Int32($0)
            }
        }
        return isThere ? found : nil
    }

    private static func process(_ pid: Int32) -> BorderFacts.Process? {
        let files = ProcessFiles(pid: pid)
        guard let stat = files.stat else { return nil }
        var process = BorderFacts.Process(
            pid: pid, parent: stat.parent, program: HostLabel.shown(files.name ?? "?"),
            state: stat.state,
            threads: stat.threads)
        let started = Double(stat.startTicks) / ProcessFiles.ticksPerSecond
        process.age = max(0, ProcessFiles.secondsSinceBoot - started)
        if let status = files.statusText {
            let voluntary = ProcessFiles.value(of: "voluntary_ctxt_switches", in: status)
            let forced = ProcessFiles.value(of: "nonvoluntary_ctxt_switches", in: status)
            if let one = voluntary.flatMap({ UInt64($0) }),
                let other = forced.flatMap({ UInt64($0) })
            {
                process.switches = one &+ other
            }
        }
        process.call = call(of: pid)
        return process
    }

    /// The call of a process's first thread, or of a thread with that id: a number and six arguments in hexadecimal
    /// digits (proc(5)); readable for those whom this process may trace.
    static func call(of pid: Int32) -> SystemCall? {
        guard let text = SmallFile.text(of: "/proc/\(pid)/syscall", limit: 512) else { return nil }
        let words = text.split(whereSeparator: { $0 == " " || $0 == "\n" })
        guard words.count >= 7, let number = Int(words[0]) else { return nil }
        let arguments = words[1...6].compactMap { UInt($0.dropFirst(2), radix: 16) }
        guard arguments.count == 6 else { return nil }
        return SystemCall(
            number: number, arguments: arguments, name: SystemCallNames.name(of: number))
    }
}
#endif
