#if TELLTALE_AGENT
import TelltaleSystem

/// The agent's socket in its directory, which comes back when somebody deletes it, and goes with the process
/// that ends in order.
struct Listener: Sendable {
    let directory: SocketDirectory
    let name: SocketName
    private let socket: OwnDescriptor
    private let watch: OwnDescriptor?
    /// As whom the process acted when it made them.
    let user = ProcessIdentity.uid
    /// Which file the socket is, so that another in its place is not taken for it.
    private let identity: FileIdentity?

    var path: String { directory.path(of: name) }

    var descriptor: OwnDescriptor { socket }

    /// What is polled for a name that was taken out of the directory; nil where the system has no
    /// such thing to give.
    var watchDescriptor: OwnDescriptor? { watch }

    /// Makes the directory and the socket.
    ///
    /// - Throws: `SocketDirectory.Problem`, or `SystemError`.
    init(directory: SocketDirectory) throws {
        try directory.make()
        let own = ProcessFiles.own.stat?.startTicks ?? 0
        let name = SocketName(pid: ProcessIdentity.pid, startTicks: own)
        let path = directory.path(of: name)
        // Whoever answers there is another process: pid namespaces that share a directory have the
        // same pids, and two services that began in the same tick the same names.
        guard !SocketFile.isAnswered(path) else { throw SocketFile.Answered(path: path) }
        // Else only this process can have left it, before an exec or after a failure. A directory
        // in its place is no socket and stays.
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

    /// Whether nobody has closed the descriptors.
    var isWhole: Bool { socket.isOurs && !(watch?.isLost ?? false) }

    /// Whether the name in the directory still leads to our socket.
    var isReachable: Bool {
        guard let found = try? FileFacts.of(path) else { return false }
        return found.kind == .socket && found.identity == identity
    }

    /// Has its name taken away when the process ends in order, and that of no other one.
    func endsWithProcess() { ProcessEnd.remove(path) }

    /// Closes the socket and takes its name away.
    func close() {
        ProcessEnd.remove(nil)
        // What came into its place meanwhile is somebody else's.
        if isReachable { try? FileFacts.remove(path) }
        abandon()
    }

    /// Closes the descriptors and leaves the directory as it is.
    func abandon() {
        for descriptor in [socket, watch].compactMap({ $0 }) { ForkHook.close(descriptor) }
    }
}
#endif
