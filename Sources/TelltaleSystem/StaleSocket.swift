#if TELLTALE_COMPILED
    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// The file that a socket leaves behind.
    package enum StaleSocket {
        /// Whether a socket stands at `path`; a link to one is none.
        package static func isSocket(_ path: String) -> Bool {
            var status = stat()
            return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
        }

        /// Removes the socket at `path`, and nothing else.
        ///
        /// - Throws: `SystemError` where something that is not a socket stands there.
        package static func remove(_ path: String) throws(SystemError) {
            var status = stat()
            guard lstat(path, &status) == 0 else {
                if errno == ENOENT { return }
                throw SystemError("lstat(\(path))")
            }
            guard status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid() else {
                throw SystemError("\(path) is in the way and is not a socket of ours", code: EEXIST)
            }
            guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("unlink(\(path))") }
        }
    }
#endif
