// For pthread_attr_t, which is both modules'.
import CTelltaleSystem
import Glibc

/// A thread of the host's. The threads of `NativeThread` are the agent's own, which it leaves out of
/// what it shows.
enum HostThread {
    private final class Start {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts a detached thread; if that fails, the benchmark finds too few.
    static func start(stackBytes: Int, _ body: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, stackBytes)
        let start = Unmanaged.passRetained(Start(body)).toOpaque()
        var thread = pthread_t()
        let code = pthread_create(&thread, &attributes, main, start)
        if code != 0 { Unmanaged<Start>.fromOpaque(start).release() }
    }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
        {
            $0.flatMap { run($0) }
        }

    private static func run(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
        return nil
    }
}
