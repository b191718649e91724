import Dispatch
import Foundation
import Synchronization
import TelltaleParked

extension Shape {
    /// A server without clients, of the shape of SwiftNIO's async one: a task awaits the next connection, and
    /// an event loop has its continuation, ten objects from its stack. A variable has it nearer.
    static let acceptors = [
        Shape("epoll-loop-accepts-for-task") {
            let loop = AcceptLoop()
            let connections = Connections(loop.listen())
            Kept.keep(connections)
            onThread { loop.run() }
            Task(name: "accept") { await AcceptShapes.serve(connections) }
        }
    ]
}

private enum AcceptShapes {
    static func serve(_ connections: Connections) async {
        while true { _ = await connections.next() }
    }
}

/// The state shared by both ends of the stream of connections.
private final class Shared: Sendable {
    let waiting = Mutex<CheckedContinuation<Int32, Never>?>(nil)
}

/// The consumer's end.
private final class Connections: Sendable {
    private let shared: Shared

    init(_ shared: Shared) { self.shared = shared }

    func next() async -> Int32 {
        await withCheckedContinuation { continuation in
            shared.waiting.withLock { $0 = continuation }
        }
    }
}

/// The producer's end.
private final class Source: Sendable {
    private let shared: Shared

    init(_ shared: Shared) { self.shared = shared }

    func yield(_ connection: Int32) {
        let waiting = shared.waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        waiting?.resume(returning: connection)
    }
}

private final class Handler: Sendable {
    private let source: Source

    init(_ source: Source) { self.source = source }

    func handle(_ connection: Int32) { source.yield(connection) }
}

/// A node of a list of handlers.
private final class Context: Sendable {
    let handler: Handler?
    let next: Context?

    init(_ handler: Handler?, next: Context?) {
        self.handler = handler
        self.next = next
    }
}

private final class Channel: Sendable {
    let first: Context

    init(_ handler: Handler) {
        var context = Context(handler, next: nil)
        for _ in 0..<3 { context = Context(nil, next: context) }
        first = context
    }
}

// Only its own thread uses it from `run` on.
private final class AcceptLoop: @unchecked Sendable {
    private let epoll = Epoll.make()
    private var channels: [Int32: Channel] = [:]

    /// Registers a channel for a listening socket; returns the stream of its connections.
    func listen() -> Shared {
        let shared = Shared()
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // Without a name the kernel finds one.
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, socklen_t(MemoryLayout<sa_family_t>.size))
            }
        }
        Glibc.listen(listener, 8)
        channels[listener] = Channel(Handler(Source(shared)))
        Epoll.add(listener, to: epoll, events: Epoll.readable)
        return shared
    }

    func run() {
        var event = Epoll.Event()
        while true {
            guard Epoll.wait(epoll, &event, 1, -1) == 1 else { continue }
            let connection = accept(event.data.0, nil, nil)
            var context = channels[event.data.0]?.first
            while let current = context {
                current.handler?.handle(connection)
                context = current.next
            }
        }
    }
}
