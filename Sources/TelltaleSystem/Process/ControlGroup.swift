#if TELLTALE_COMPILED
/// The limits of a container, according to its control group: version 2, or a hierarchy of version
/// 1.
package struct ControlGroup: Sendable, Equatable {
    package enum Controller: String, Sendable, CaseIterable {
        case memory, pids

        /// The files of the bound and of the usage, in version 1 and in version 2.
        fileprivate func files(version: Int) -> (bound: String, used: String) {
            switch (self, version) {
            case (.memory, 1): ("memory.limit_in_bytes", "memory.usage_in_bytes")
            case (.memory, _): ("memory.max", "memory.current")
            case (.pids, _): ("pids.max", "pids.current")
            }
        }
    }

    /// The least that the group or one above it may use; nil for no bound.
    package var bound: UInt64?
    /// The usage of the group that has the bound; without one, of the process's own group.
    package var used: UInt64?

    /// Reads the groups of this process out of the text of `/proc/self/cgroup` and the mounted
    /// hierarchies; `nil` if they can't be seen.
    package init?(
        _ controller: Controller, of text: String, mountedAt mount: String = "/sys/fs/cgroup"
    ) {
        guard let place = Self.place(of: controller, in: text) else { return nil }
        let files = controller.files(version: place.version)
        let top = place.version == 1 ? "\(mount)/\(controller.rawValue)" : mount
        // Seen from a namespace of its own the path may lead nowhere; the top is then the group itself.
        var names = place.path.split(separator: "/").map(String.init)
        var isSeen = false
        while true {
            let folder = names.reduce(top) { "\($0)/\($1)" }
            if let text = SmallFile.text(of: "\(folder)/\(files.bound)") {
                let bound = Self.bound(text)
                if !isSeen || (bound ?? .max) < (self.bound ?? .max) {
                    self.bound = bound
                    used = Self.number(SmallFile.text(of: "\(folder)/\(files.used)"))
                }
                isSeen = true
            }
            if names.popLast() == nil { break }
        }
        guard isSeen else { return nil }
    }

    /// The process's group: `4:memory:/path` is of version 1, `0::/path` of version 2.
    private static func place(
        of controller: Controller, in text: String
    ) -> (version: Int, path: String)? {
        var unified: String?
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            if parts[1].split(separator: ",").contains(Substring(controller.rawValue)) {
                return (1, String(parts[2]))
            }
            if parts[1].isEmpty { unified = String(parts[2]) }
        }
        return unified.map { (2, $0) }
    }

    private static func number(_ text: String?) -> UInt64? {
        text.flatMap { UInt64($0.prefix { $0.isNumber }) }
    }

    /// Version 1 says "no bound" as the largest number of whole pages, version 2 as `max`.
    private static func bound(_ text: String) -> UInt64? {
        number(text).flatMap { $0 >= UInt64(Int64.max) - 65_536 ? nil : $0 }
    }
}
#endif
