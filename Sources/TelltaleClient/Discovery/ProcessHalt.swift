package import TelltaleProtocol
package import TelltaleSystem

/// Why a process that is still there can't answer.
package enum ProcessHalt: String, Sendable {
    case stopped
    case debugged = "stopped by a debugger"
    /// A zombie: nothing of it is left but its exit status.
    case ended = "ended, not collected"
    /// The kernel writes its core; none of its threads runs any more.
    case core = "crashed, core being written"
    /// Swift's backtracer reads its memory.
    case backtrace = "crashed, backtrace being written"

    /// The halt that the state of the process tells; `nil` for none.
    package init?(_ stat: ProcessFiles.Stat) {
        switch stat.state {
        case "T": self = .stopped
        case "t": self = .debugged
        // A main thread that has ended by itself looks the same while others live.
        case "Z" where stat.threads <= 1: self = .ended
        default: return nil
        }
    }

    /// Looks at a process that did not answer: a crash shows in more files than its state.
    package init?(ofSilent pid: Int32) {
        guard pid > 0, let stat = ProcessFiles(pid: pid).stat else { return nil }
        if let halt = ProcessHalt(stat) {
            self = halt
        } else if ProcessFiles(pid: pid).status("CoreDumping") == "1" {
            self = .core
        } else if Self.isBacktraced(pid) {
            self = .backtrace
        } else {
            return nil
        }
    }

    /// Returns whether one of its children is the backtracer, whose name the kernel cuts to 15
    /// bytes.
    private static func isBacktraced(_ pid: Int32) -> Bool {
        ProcessList.pids().contains { child in
            let files = ProcessFiles(pid: child)
            return files.stat?.parent == pid && files.name == "swift-backtrace"
        }
    }

    package func failure(of pid: Int32) -> CommandFailure {
        let files = ProcessFiles(pid: pid)
        let process = "process \(pid)\(files.programName.map { " (\($0))" } ?? "")"
        switch self {
        case .stopped:
            return CommandFailure(
                .timeout, "\(process) is stopped by a signal and can't answer",
                hint: "`kill -CONT \(pid)` lets it go on")
        case .debugged:
            return CommandFailure(
                .timeout, "\(process) is stopped by a debugger and can't answer",
                hint: "let it go on in the debugger")
        case .ended:
            let parent = files.stat.map { " (pid \($0.parent))" } ?? ""
            return CommandFailure(
                .unreachable,
                "\(process) has ended and waits for its parent\(parent) to collect it (a zombie)",
                hint: "`telltale` lists the agents that can be reached")
        case .core:
            return CommandFailure(
                .unreachable, "\(process) has crashed, and the kernel is writing its core",
                hint: "it answers nothing any more; the core is complete when the process has gone")
        case .backtrace:
            return CommandFailure(
                .unreachable, "\(process) has crashed, and swift-backtrace is writing its report",
                hint: "it answers nothing any more; the report goes to the service's standard error"
            )
        }
    }
}
