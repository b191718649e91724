import Dispatch
import Foundation

extension Shape {
    /// Servers of blocking threads, as the small ones are made: an accept loop, and an item for each
    /// client.
    static let servers = [
        Shape("accept-server-idle") {
            let server = BlockingServer { pause(microseconds: 1000) }
            // Clients that keep their connection and ask for nothing.
            for _ in 0..<3 { Kept.keep(server.connect(asking: false)) }
        },
        Shape("accept-server-loaded") {
            let server = BlockingServer { pause(microseconds: 1000) }
            for _ in 0..<4 {
                onThread {
                    var byte: UInt8 = 0
                    while true {
                        let client = server.connect(asking: true)
                        _ = recv(client, &byte, 1, 0)
                        close(client)
                    }
                }
            }
        },
        Shape("accept-server-slow-handlers") {
            // Each takes its time, and comes back.
            let server = BlockingServer { Thread.sleep(forTimeInterval: 2) }
            for _ in 0..<2 {
                onThread {
                    var byte: UInt8 = 0
                    while true {
                        let client = server.connect(asking: true)
                        _ = recv(client, &byte, 1, 0)
                        close(client)
                    }
                }
            }
        },
        Shape("accept-server-exhausted") {
            let answers = DispatchSemaphore(value: 0)
            let server = BlockingServer { ServerShapes.handleWithoutAnswer(answers) }
            for _ in 0..<200 { Kept.keep(server.connect(asking: true)) }
            settle()
        },
        Shape("accept-server-full") {
            let answers = DispatchSemaphore(value: 0)
            let server = BlockingServer(queueForEach: true) {
                ServerShapes.handleWithoutAnswer(answers)
            }
            // More than Dispatch makes threads.
            for _ in 0..<280 { Kept.keep(server.connect(asking: true)) }
            settle()
        },
        // The accept loop has a thread of the same pool, and is all that moves.
        Shape("accept-server-exhausted-in-one-pool") {
            let answers = DispatchSemaphore(value: 0)
            let server = BlockingServer(accepting: .global()) {
                ServerShapes.handleWithoutAnswer(answers)
            }
            for _ in 0..<200 { Kept.keep(server.connect(asking: true)) }
            settle()
        },
        Shape("accept-server-full-in-one-pool") {
            let answers = DispatchSemaphore(value: 0)
            let accepting = DispatchQueue(label: "shape.accepting")
            let server = BlockingServer(accepting: accepting, queueForEach: true) {
                ServerShapes.handleWithoutAnswer(answers)
            }
            for _ in 0..<280 { Kept.keep(server.connect(asking: true)) }
            settle()
        },
    ]
}

private enum ServerShapes {
    static func handleWithoutAnswer(_ answers: DispatchSemaphore) {
        answers.wait()  // blocks: handleWithoutAnswer
    }
}

/// A server that blocks a thread for its accept loop and one for each client.
private final class BlockingServer: Sendable {
    private let listener = Loopback.listener()
    private let clients = DispatchQueue(label: "shape.clients", attributes: .concurrent)
    private let queueForEach: Bool
    private let handler: @Sendable () -> Void

    init(
        accepting: DispatchQueue = .global(qos: .background), queueForEach: Bool = false,
        _ handler: @escaping @Sendable () -> Void
    ) {
        self.queueForEach = queueForEach
        self.handler = handler
        onQueue(accepting) { [self] in acceptClients() }
    }

    private func acceptClients() {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { return }
            let queue = queueForEach ? DispatchQueue(label: "shape.client") : clients
            queue.async { [self] in serve(client) }
        }
    }

    private func serve(_ client: Int32) {
        var byte: UInt8 = 0
        // A request is one byte, and so is its answer.
        while recv(client, &byte, 1, 0) == 1 {
            handler()
            send(client, &byte, 1, 0)
        }
        close(client)
    }

    /// A client of this process, for which no thread waits.
    func connect(asking: Bool) -> Int32 {
        let client = Loopback.connection(to: listener)
        var byte: UInt8 = 1
        if asking { send(client, &byte, 1, 0) }
        return client
    }
}
