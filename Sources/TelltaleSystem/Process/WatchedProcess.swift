#if TELLTALE_COMPILED
import CTelltaleSystem
import Glibc

/// Watches another process for its end. Used by one thread at a time.
package final class WatchedProcess {
    /// The way in which a process has ended.
    package enum End: Sendable, Equatable {
        case signal(Int32)
        case exit(Int32)
        /// The kernel doesn't tell: the parent has taken the status.
        case unknown

        /// Decodes a status of `wait`.
        init(status: Int32) {
            let signal = status & 0x7f
            self = signal == 0 ? .exit(status >> 8 & 0xff) : .signal(signal)
        }
    }

    private static let looks = 20

    private let pid: Int32
    private let descriptor: FileDescriptor

    /// Starts to watch; nil if there is no such process, or the kernel has no pidfds.
    package init?(pid: Int32) {
        let raw = pid > 0 ? ctelltale_process_open(pid) : -1
        guard raw >= 0 else { return nil }
        self.pid = pid
        descriptor = FileDescriptor(taking: raw)
    }

    /// Waits for the process's end; nil if it has not ended by `deadline`.
    package func end(by deadline: MonotonicTime) -> End? {
        let outcome = DescriptorWait.wait(
            for: descriptor.raw, interrupt: nil, until: deadline)
        guard outcome == .ready else { return nil }
        // `/proc` has the status until the parent takes it, and the descriptor has it afterwards: for a
        // moment neither may have it.
        for _ in 0..<Self.looks {
            var status: Int32 = 0
            if ctelltale_process_status(descriptor.raw, &status) { return End(status: status) }
            let stat = ProcessFiles(pid: pid).stat
            if let stat, stat.state == "Z", stat.exitStatus != 0 {
                return End(status: stat.exitStatus)
            }
            NativeThread.sleep(.milliseconds(1))
        }
        return .unknown
    }
}
#endif
