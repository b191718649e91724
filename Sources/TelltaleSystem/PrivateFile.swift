#if TELLTALE_COMPILED
    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// Files of mode 0600 that are written and read without following a link.
    package enum PrivateFile {
        /// Puts `bytes` at `path` in one step: a new file beside it, renamed over it.
        ///
        /// A reader sees the old file or the new one, never half. What stands at `path` is replaced, also
        /// a link (not its target); a directory there is refused.
        package static func replace(
            _ path: String, with bytes: some Collection<UInt8>
        ) throws(SystemError) {
            if let old = try? FileFacts.of(path), old.kind != .file, old.kind != .link {
                throw SystemError(
                    "\(path) is \(old.kind.description)",
                    code: old.kind == .directory ? EISDIR : EEXIST)
            }
            let temporary = "\(path).\(getpid()).tmp"
            let raw = DescriptorReserve.shared.lend {
                open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            }
            guard raw >= 0 else { throw SystemError("open(\(temporary))") }
            let file = FileDescriptor(taking: raw)
            do throws(SystemError) {
                // The umask may have taken bits away, and ACLs of the directory may have added some.
                guard fchmod(file.raw, 0o600) == 0 else { throw SystemError("chmod(\(temporary))") }
                try DescriptorWriter.write(bytes, to: file.raw, name: temporary)
                guard rename(temporary, path) == 0 else { throw SystemError("rename(\(path))") }
            } catch {
                unlink(temporary)
                throw error
            }
        }

        /// Adds `bytes` at the end of `path`, which is made with mode 0600 where it is missing.
        ///
        /// - Throws: `SystemError`, also where it is a link, not a plain file, or someone else's.
        package static func append(
            _ bytes: some Collection<UInt8>, to path: String
        ) throws(SystemError) {
            let file = try openOwn(path, O_WRONLY | O_APPEND | O_CREAT)
            try DescriptorWriter.write(bytes, to: file.raw, name: path)
        }

        /// The last `limit` bytes of `path`; nil where there is no such file.
        ///
        /// - Throws: `SystemError`, also where it is a link, not a plain file, or someone else's.
        package static func tail(of path: String, limit: Int) throws(SystemError) -> [UInt8]? {
            guard FileFacts.exists(path) else { return nil }
            let file = try openOwn(path, O_RDONLY)
            let size = lseek(file.raw, 0, SEEK_END)
            guard size >= 0, lseek(file.raw, max(0, size - off_t(limit)), SEEK_SET) >= 0 else {
                throw SystemError("lseek(\(path))")
            }
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 16_384)
            while bytes.count < limit {
                let count = chunk.withUnsafeMutableBytes { buffer in
                    retryingInterrupts { read(file.raw, buffer.baseAddress, buffer.count) }
                }
                guard count >= 0 else { throw SystemError("read(\(path))") }
                if count == 0 { break }
                bytes.append(contentsOf: chunk[..<min(count, limit - bytes.count)])
            }
            return bytes
        }

        /// Makes a directory of mode 0700 and the ones above it.
        package static func makeDirectory(_ path: String) throws(SystemError) {
            var made = ""
            for part in path.split(separator: "/") {
                made += "/" + part
                if mkdir(made, 0o700) != 0, errno != EEXIST, errno != EISDIR, errno != EROFS {
                    throw SystemError("mkdir(\(made))")
                }
            }
        }

        // O_NONBLOCK so that a pipe of that name doesn't hold the program.
        private static func openOwn(
            _ path: String, _ flags: Int32
        ) throws(SystemError) -> FileDescriptor {
            let raw = DescriptorReserve.shared.lend {
                open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
            }
            guard raw >= 0 else { throw SystemError("open(\(path))") }
            let file = FileDescriptor(taking: raw)
            let facts = try FileFacts.of(descriptor: file.raw)
            guard facts.kind == .file else {
                throw SystemError("\(path) is \(facts.kind.description)", code: EINVAL)
            }
            guard facts.owner == geteuid(), facts.links == 1 else {
                throw SystemError("\(path) belongs to uid \(facts.owner)", code: EACCES)
            }
            if facts.mode != 0o600, fchmod(file.raw, 0o600) != 0 {
                throw SystemError("chmod(\(path), 0600)")
            }
            return file
        }
    }
#endif
