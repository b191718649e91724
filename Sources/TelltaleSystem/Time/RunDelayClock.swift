#if TELLTALE_AGENT
import Glibc

/// The time that one thread has waited for a core while it could have run
/// (`/proc/thread-self/schedstat`, second field).
///
/// The file is kept open: it is read with every tick of a heartbeat, and opening it each time cost
/// nine tenths of that (0.30 % of a core at 50 ms, measured).
package final class RunDelayClock: Sendable {
    private let file: OwnDescriptor

    /// The calling thread's clock; `nil` if the kernel has none, or no descriptor is left.
    package init?() {
        let made = try? ForkHook.made {
            let raw = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
            return raw >= 0 ? raw : nil
        }
        guard let file = made ?? nil else { return nil }
        self.file = file
    }

    deinit { ForkHook.close(file) }

    /// Nanoseconds so far; 0 if they can't be read.
    package var nanoseconds: UInt64 {
        withUnsafeTemporaryAllocation(byteCount: 96, alignment: 8) { buffer in
            let count = pread(file.raw, buffer.baseAddress, buffer.count, 0)
            guard count > 0 else { return 0 }
            var value: UInt64 = 0
            var field = 0
            for byte in buffer[..<count] {
                if byte == UInt8(ascii: " ") {
                    field += 1
                    if field > 1 { break }
                } else if field == 1, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                    value = value &* 10 &+ UInt64(byte - UInt8(ascii: "0"))
                }
            }
            return value
        }
    }
}

/// The time that the kernel has kept this process's cgroup frozen (cgroup v2, since Linux 6.18).
package enum FrozenTime {
    /// Microseconds so far; `nil` if the kernel doesn't count them, or there is no cgroup v2.
    package static var microseconds: UInt64? {
        guard
            let own = SmallFile.text(of: "/proc/self/cgroup")?.split(separator: "\n")
                .first(where: { $0.hasPrefix("0::/") })?.dropFirst(3)
        else { return nil }
        // The mount points of systemd and others, alone or beside the controllers of version 1.
        for root in ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"] {
            guard let text = SmallFile.text(of: "\(root)\(own)/cgroup.stat.local") else {
                continue
            }
            for line in text.split(separator: "\n") where line.hasPrefix("frozen_usec ") {
                return UInt64(line.dropFirst("frozen_usec ".count))
            }
        }
        return nil
    }
}
#endif
