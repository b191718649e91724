#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import TelltaleAgentSystem

    /// The agent's socket in its directory, which comes back when somebody deletes it.
    struct Listener: Sendable {
        let directory: SocketDirectory
        let name: SocketName
        private let socket: Int32
        private let watch: Int32?

        /// Where the socket is.
        var path: String { directory.path(of: name) }

        /// What is polled for connections.
        var descriptor: Int32 { socket }

        /// What is polled for a name that was taken out of the directory; nil where the system has no
        /// such thing to give.
        var watchDescriptor: Int32? { watch }

        /// Makes the directory and the socket.
        ///
        /// - Throws: `SocketDirectory.Problem`, or `SystemError`.
        init(directory: SocketDirectory) throws {
            try directory.make()
            let own = ProcessFiles.own.stat?.startTicks ?? 0
            let name = SocketName(pid: ProcessIdentity.pid, startTicks: own)
            let path = directory.path(of: name)
            // Only a process of this pid and this start can have left it, and that is this one. A
            // directory in its place is no socket and stays.
            try StaleSocket.remove(path)
            let socket = try UnixSocket.listen(at: path, backlog: 64)
            self.directory = directory
            self.name = name
            self.socket = socket.release()
            watch = (try? DirectoryWatch.make(on: directory.path))?.release()
            for descriptor in [self.socket, watch].compactMap({ $0 }) {
                _ = ForkHook.closeInChild(descriptor)
            }
        }

        /// Whether the name in the directory still leads to our socket.
        var isReachable: Bool { StaleSocket.isSocket(path) }

        /// Closes the socket and takes its name away.
        func close() {
            for descriptor in [socket, watch].compactMap({ $0 }) {
                ForkHook.forget(descriptor)
                _ = FileDescriptor(taking: descriptor)
            }
            try? StaleSocket.remove(path)
        }

        /// Closes the descriptors and leaves the directory as it is.
        func abandon() {
            for descriptor in [socket, watch].compactMap({ $0 }) {
                ForkHook.forget(descriptor)
                _ = FileDescriptor(taking: descriptor)
            }
        }
    }
#endif
