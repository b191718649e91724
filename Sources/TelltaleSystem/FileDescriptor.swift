#if TELLTALE_COMPILED
    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// The only owner of an open descriptor, which it closes once.
    package struct FileDescriptor: ~Copyable, Sendable {
        /// The descriptor's number, valid for as long as this owner lives.
        package let raw: Int32

        /// Takes over `raw`.
        package init(taking raw: Int32) { self.raw = raw }

        deinit { _ = close(raw) }

        /// Gives the number away; it is then the caller's to close.
        package consuming func release() -> Int32 {
            let raw = self.raw
            discard self
            return raw
        }

        /// Has reads and writes return at once instead of waiting (`O_NONBLOCK`).
        package func setNonblocking() throws(SystemError) {
            let flags = fcntl(raw, F_GETFL)
            guard flags >= 0, fcntl(raw, F_SETFL, flags | O_NONBLOCK) >= 0 else {
                throw SystemError("fcntl(\(raw), O_NONBLOCK)")
            }
        }
    }
#endif
