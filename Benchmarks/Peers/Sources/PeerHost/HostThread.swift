#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Threads without Foundation, which would be a third of what the host has in memory.
enum HostThread {
    private final class Start {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts a detached thread, or ends the process: a host with fewer threads would be another host.
    ///
    /// - Parameter body: What it does.
    static func start(_ body: @escaping @Sendable () -> Void) {
        let start = Unmanaged.passRetained(Start(body)).toOpaque()
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        guard pthread_create(&thread, nil, main, start) == 0 else { exit(1) }
        #if canImport(Darwin)
        if let thread { pthread_detach(thread) }
        #else
        pthread_detach(thread)
        #endif
    }

    /// Sleeps.
    static func sleep(microseconds: UInt32) { usleep(microseconds) }

    #if canImport(Darwin)
    private static let main: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? =
        { run($0) }
    #else
    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
        {
            $0.flatMap { run($0) }
        }
    #endif

    private static func run(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
        return nil
    }
}
