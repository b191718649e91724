import TelltaleSystem

/// The directories in which agents put their sockets. The two sides may not share an
/// environment, so all of the usual places are looked at and not only the one that is set here.
package struct SearchPlaces: Sendable {
    /// A directory and whose it must be.
    package struct Place: Sendable, Hashable {
        package var directory: String
        package var owner: UInt32

        package init(directory: String, owner: UInt32 = ProcessIdentity.uid) {
            self.directory = directory
            self.owner = owner
        }
    }

    private let environment: @Sendable (String) -> String?
    private let uid: UInt32
    private let fixed: [Place]?

    /// The places that this process sees.
    package init(
        environment: @escaping @Sendable (String) -> String? = ProcessIdentity.environment,
        uid: UInt32 = ProcessIdentity.uid
    ) {
        self.environment = environment
        self.uid = uid
        fixed = nil
    }

    /// These directories and no others.
    package init(only places: [Place]) {
        environment = { _ in nil }
        uid = ProcessIdentity.uid
        fixed = places
    }

    /// The user's own directories, those that are tried first and cost nothing where they are missing.
    package var own: [Place] {
        if let fixed { return fixed }
        var paths: [String] = []
        if let path = environment("TELLTALE_DIRECTORY"), !path.isEmpty { paths.append(path) }
        if let runtime = environment("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") {
            paths.append(runtime + "/telltale")
        }
        paths += [
            "/run/user/\(uid)/telltale", "/tmp/telltale-\(uid)", "/dev/shm/telltale-\(uid)",
        ]
        var places: [Place] = []
        for path in paths {
            let place = Place(directory: SocketDirectory(path: path).path, owner: uid)
            if !places.contains(place) { places.append(place) }
        }
        return places
    }

    /// The directories of other users, which root may look into; none for anyone else.
    package var others: [Place] {
        uid == 0 && fixed == nil ? Self.usual(under: "") : []
    }

    /// Directories of the sockets in `/proc/net/unix` whose names are those of agents.
    package var bound: [Place] {
        if fixed != nil { return [] }
        return places(
            NetUnix.directories(in: SmallFile.text(of: "/proc/net/unix", limit: 4 << 20) ?? ""))
    }

    /// The owner of a directory must be this user, or root if this user is root.
    private func places(_ directories: [String], under root: String = "") -> [Place] {
        directories.compactMap { directory in
            let path = root + directory
            guard let facts = try? FileFacts.of(path), uid == 0 || facts.owner == uid else {
                return nil
            }
            return Place(directory: path, owner: facts.owner)
        }
    }

    private static func usual(under root: String) -> [Place] {
        let runtime = DirectoryListing.names(in: root + "/run/user").map {
            "\(root)/run/user/\($0)/telltale"
        }
        let temporary = DirectoryListing.names(in: root + "/tmp").filter(isFallback).map {
            "\(root)/tmp/\($0)"
        }
        return (runtime + temporary).compactMap { path in
            guard let facts = try? FileFacts.of(path), facts.kind == .directory else { return nil }
            return Place(directory: path, owner: facts.owner)
        }
    }

    /// Returns whether a name is `telltale-UID`.
    private static func isFallback(_ name: String) -> Bool {
        name.hasPrefix("telltale-") && UInt32(name.dropFirst("telltale-".count)) != nil
    }

    /// The places in mount namespaces other than ours, seen through `/proc/PID/root` of one process
    /// each. Whose root may be seen is the kernel's decision: root's client sees all, another user's
    /// those of its own containers.
    package func namespaces(of pids: [Int32]) -> [Place] {
        guard fixed == nil, let own = ProcessFiles.link("/proc/self/ns/mnt") else { return [] }
        var seen: Set = [own]
        var found: [Place] = []
        for pid in pids {
            guard let namespace = ProcessFiles.link("/proc/\(pid)/ns/mnt"),
                seen.insert(namespace).inserted
            else { continue }
            let root = "/proc/\(pid)/root"
            let usual = Self.usual(under: root).filter { uid == 0 || $0.owner == uid }
            let sockets = SmallFile.text(of: "/proc/\(pid)/net/unix", limit: 4 << 20) ?? ""
            found += usual + places(NetUnix.directories(in: sockets), under: root)
        }
        return found
    }
}
