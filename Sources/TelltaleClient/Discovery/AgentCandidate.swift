package import TelltaleSystem

/// A socket whose name is that of an agent's.
package struct AgentCandidate: Sendable {
    package var location: AgentLocation
    package var name: SocketName
    /// The device and inode of the file, by which two ways to one socket are known.
    package var identity: FileIdentity

    package static func all(
        in place: SearchPlaces.Place
    ) throws(SocketDirectory.Problem) -> [AgentCandidate] {
        let directory = SocketDirectory(path: place.directory)
        try directory.check(owner: place.owner)
        return directory.sockets().compactMap { name in
            let path = directory.path(of: name)
            // A link or a plain file of such a name is not an agent's.
            guard let facts = try? FileFacts.of(path), facts.kind == .socket,
                facts.owner == place.owner
            else { return nil }
            return AgentCandidate(
                location: AgentLocation(path: path, owner: place.owner), name: name,
                identity: facts.identity)
        }
    }

    /// The kernel's record of the process that the name means, if it is in this pid namespace.
    package var process: ProcessFiles.Stat? {
        guard let stat = ProcessFiles(pid: name.pid).stat, stat.startTicks == name.startTicks else {
            return nil
        }
        return stat
    }
}

/// The location of an agent's socket.
package struct AgentLocation: Sendable, Hashable {
    /// The path by which it is opened here.
    package var path: String
    /// The owner of its directory, who may be at the other end; `nil` if the user named the socket
    /// himself.
    package var owner: UInt32?

    package init(path: String, owner: UInt32? = nil) {
        self.path = path
        self.owner = owner
    }
}
