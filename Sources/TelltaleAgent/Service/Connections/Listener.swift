#if TELLTALE_AGENT
import TelltaleSystem

/// The agent's socket in its directory. It is recreated if its name is deleted, and removed when the
/// process exits cleanly.
struct Listener: Sendable {
    let directory: SocketDirectory
    let name: SocketName
    private let socket: OwnDescriptor
    private let watch: OwnDescriptor?
    /// The user of the process when it created the socket.
    let user = ProcessIdentity.uid
    /// The identity of the socket file, so that another file in its place is not mistaken for it.
    private let identity: FileIdentity?

    var path: String { directory.path(of: name) }

    var descriptor: OwnDescriptor { socket }

    /// The descriptor that is polled for the removal of a name from the directory; nil if the system has
    /// none left.
    var watchDescriptor: OwnDescriptor? { watch }

    /// Creates the directory and the socket.
    ///
    /// - Throws: `SocketDirectory.Problem`, or `SystemError`.
    init(directory: SocketDirectory) throws {
        try directory.make()
        let own = ProcessFiles.own.stat?.startTicks ?? 0
        let name = SocketName(pid: ProcessIdentity.pid, startTicks: own)
        let path = directory.path(of: name)
        // A process that answers there is another one: pid namespaces that share a directory have the same
        // pids, and two services that began in the same tick have the same names.
        guard !SocketFile.isAnswered(path) else { throw SocketFile.Answered(path: path) }
        // Otherwise only this process can have left the file, before an exec or after a failure. A
        // directory in its place is not a socket and stays.
        try SocketFile.remove(path)
        let socket = try ForkHook.made { () throws(SystemError) in
            try UnixSocket.listen(at: path, backlog: 64).release()
        }
        guard let socket else { throw SystemError("listen(\(path))") }
        self.directory = directory
        self.name = name
        self.socket = socket
        identity = try? FileFacts.of(path).identity
        watch = (try? DirectoryWatch.make(on: directory.path)) ?? nil
    }

    /// True if the host has not closed the descriptors.
    var isWhole: Bool { socket.isOurs && !(watch?.isLost ?? false) }

    /// True if the name in the directory still leads to our socket.
    var isReachable: Bool {
        guard let found = try? FileFacts.of(path) else { return false }
        return found.kind == .socket && found.identity == identity
    }

    /// Makes the process remove this name when it exits cleanly, and forget any other name.
    func endsWithProcess() { ProcessEnd.remove(path) }

    /// Closes the socket and removes its name.
    func close() {
        ProcessEnd.remove(nil)
        // A file that has replaced it in the meantime belongs to another process.
        if isReachable { try? FileFacts.remove(path) }
        abandon()
    }

    /// Closes the descriptors and leaves the directory as it is.
    func abandon() {
        for descriptor in [socket, watch].compactMap({ $0 }) { ForkHook.close(descriptor) }
    }
}
#endif
