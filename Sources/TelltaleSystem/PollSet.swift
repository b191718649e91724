#if TELLTALE_COMPILED
    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// Waits for several descriptors at once.
    package enum PollSet {
        /// Waits until one of `descriptors` can be read.
        ///
        /// - Parameters:
        ///   - descriptors: What is waited for.
        ///   - milliseconds: At most; -1 for as long as it takes.
        /// - Returns: The ones that can be read; none after a time-out or a signal.
        package static func wait(for descriptors: [Int32], milliseconds: Int32) -> [Int32] {
            var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let count = ForkGate.resting {
                poll(&entries, nfds_t(entries.count), milliseconds)
            }
            guard count > 0 else { return [] }
            return entries.filter { $0.revents != 0 }.map(\.fd)
        }
    }
#endif
