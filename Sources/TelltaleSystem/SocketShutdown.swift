#if TELLTALE_COMPILED
    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// Ends a connection without closing its descriptor, which another thread may be reading from.
    package enum SocketShutdown {
        /// Both directions; whoever reads finds the end.
        package static func both(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
#endif
