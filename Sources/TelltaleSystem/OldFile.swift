#if TELLTALE_COMPILED
    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// A regular file of ours that may be removed to keep within a bound.
    package struct OldFile: Sendable {
        package let path: String
        /// In bytes.
        package let size: Int
        /// When it was last written, in nanoseconds since 1970.
        package let modified: Int

        /// nil for a link, a directory, another user's file, and what isn't there.
        package init?(path: String) {
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                status.st_uid == geteuid()
            else { return nil }
            self.path = path
            size = Int(status.st_size)
            #if canImport(Darwin)
                let time = status.st_mtimespec
            #else
                let time = status.st_mtim
            #endif
            modified = Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
        }

        /// Removes it.
        package func remove() { unlink(path) }
    }
#endif
