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
        guard let levels = Self.levels(of: controller, in: text, mountedAt: mount) else {
            return nil
        }
        let files = controller.files(version: levels.version)
        var isSeen = false
        for folder in levels.folders {
            if let text = SmallFile.text(of: "\(folder)/\(files.bound)") {
                let bound = Self.bound(text)
                if !isSeen || (bound ?? .max) < (self.bound ?? .max) {
                    self.bound = bound
                    used = Self.number(SmallFile.text(of: "\(folder)/\(files.used)"))
                }
                isSeen = true
            }
        }
        guard isSeen else { return nil }
    }

    /// The folders of the process's group and of every group above it, innermost first; nil where it is in none.
    ///
    /// Seen from a namespace of its own the path may lead nowhere; the top is then the group itself.
    static func levels(
        of controller: Controller, in text: String, mountedAt mount: String
    ) -> (version: Int, folders: [String])? {
        guard let place = place(of: controller, in: text) else { return nil }
        let top = place.version == 1 ? "\(mount)/\(controller.rawValue)" : mount
        var folders = [top]
        for name in place.path.split(separator: "/") {
            folders.append("\(folders.last ?? top)/\(name)")
        }
        return (place.version, folders.reversed())
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

    static func number(_ text: String?) -> UInt64? {
        text.flatMap { UInt64($0.prefix { $0.isNumber }) }
    }

    /// Version 1 says "no bound" as the largest number of whole pages, version 2 as `max`.
    static func bound(_ text: String) -> UInt64? {
        number(text).flatMap { $0 >= UInt64(Int64.max) - 65_536 ? nil : $0 }
    }
}
#endif
