#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// Facts about the process for the agent's answers, read anew for each request.
struct ProcessFacts: Sendable {
    let pid: Int32
    let startTicks: UInt64
    let uptimeSeconds: Double
    /// 0 if `/proc` can't be read, as is ``residentBytes``.
    let threads: Int
    let residentBytes: UInt64
    let cpuSeconds: Double

    /// The start of the process, kept for a time without `/proc` (after `chroot`).
    private static let start = Locked<UInt64?>(nil)

    // Reads /proc once. Further facts are read on demand: a handshake needs none of them, and a client's
    // start waits for the handshake.
    init() {
        pid = ProcessIdentity.pid
        let stat = ProcessFiles.own.stat
        startTicks = Self.start.withLock { start in
            start = start ?? stat?.startTicks
            return start ?? 0
        }
        let started = Double(startTicks) / ProcessFiles.ticksPerSecond
        uptimeSeconds = max(0, ProcessFiles.secondsSinceBoot - started)
        threads = stat?.threads ?? 0
        // A leader that has ended by pthread_exit has no memory in its own files.
        let pages = stat?.residentPages == 0 ? ProcessFiles.thread.stat?.residentPages : nil
        residentBytes = (pages ?? stat?.residentPages ?? 0) * ProcessFiles.pageSize
        cpuSeconds = Double(ProcessClocks.processorTime) / 1e9
    }

    var descriptors: Int? { ProcessFiles.own.descriptorCount }

    /// The debugger that is attached, other than the agent's own helper, which stops threads for their
    /// stacks.
    static var tracer: SignalReport.Tracer? {
        guard let text = ProcessFiles.own.status("TracerPid"), let pid = Int32(text), pid > 0,
            !DebuggerStop.isOwnHelper(pid)
        else { return nil }
        return SignalReport.Tracer(pid: pid, name: ProcessFiles(pid: pid).name)
    }

    /// The maximum number of open descriptors.
    var descriptorLimit: String? {
        ProcessFiles.own.limit(.descriptors).map { $0.soft.map(String.init) ?? "unlimited" }
    }

    /// `gdb(977)`, or `none`.
    static func rendered(_ tracer: SignalReport.Tracer?) -> String {
        tracer.map { "\(($0.name ?? "?").escaped)(\($0.pid))" } ?? "none"
    }

    /// `pid=977(bash) uid=0`, as far as it can be read.
    static func rendered(pid: Int32, uid: UInt32) -> String {
        rendered(
            Peer(uid: uid, pid: pid, program: pid > 0 ? ProcessFiles(pid: pid).name : nil))
    }

    /// The peer of a client as recorded when it connected: its pid may belong to another process by now.
    static func rendered(_ peer: Peer) -> String {
        guard peer.pid > 0 else { return "the kernel or a process outside of this pid namespace" }
        let name = peer.program.map { "(\($0.escaped))" } ?? ""
        return "pid=\(peer.pid)\(name) uid=\(peer.uid)\(peer.origin.escaped)"
    }
}
#endif
