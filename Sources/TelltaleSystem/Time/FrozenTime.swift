#if TELLTALE_AGENT
/// For how long the kernel has kept this process's cgroup frozen (cgroup v2, since Linux 6.18).
package enum FrozenTime {
    /// Microseconds so far; nil where the kernel doesn't count them, or there is no cgroup v2.
    package static var microseconds: UInt64? {
        guard
            let own = SmallFile.text(of: "/proc/self/cgroup")?.split(separator: "\n")
                .first(where: { $0.hasPrefix("0::/") })?.dropFirst(3)
        else { return nil }
        // Where systemd and others have it, alone or beside the controllers of version 1.
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
