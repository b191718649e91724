import Dispatch
import Foundation
import Synchronization

extension Shape {
    /// Tasks whose only wakers are among the waiters, and a wait that only a person can judge.
    static let knotCases = [
        Shape("case-knot-of-leases") {
            let leases = LeaseBook(leases: 2)
            for _ in 0..<4 { Task { await KnotCases.renewLease(leases) } }
            Thread.sleep(forTimeInterval: 0.8)
        },
        Shape("case-knot-of-credits") {
            let window = CreditWindow()
            Task { await KnotCases.produce(window) }
            Task { await KnotCases.consume(window) }
            settle()
        },
        Shape("case-knot-of-readers") {
            let (events, producer) = AsyncStream.makeStream(of: Int.self)
            // The continuation is kept by a reader alone.
            for _ in 0..<3 {
                Task { await KnotCases.readUntilFed(events, producer) }
            }
            settle()
        },
        Shape("case-scope-waits-for-child") {
            let leases = LeaseBook(leases: 0)
            Task { await KnotCases.runWithTimeLimit(leases) }
            settle()
        },
        // The thread that accepted has ended; clients still come.
        Shape("case-listener-without-thread") {
            let listener = Loopback.listener()
            let port = Loopback.port(of: listener)
            let script = """
                import socket, time
                kept = []
                for _ in range(400):
                    s = socket.socket()
                    s.setblocking(False)
                    s.connect_ex(("127.0.0.1", \(port)))
                    kept.append(s)
                time.sleep(120)
                """
            _ = BorderCases.spawn("/usr/bin/python3", ["python3", "-c", script])
            settle()
        },
        Shape("case-shutdown-waits") {
            let server = ServerThatStops()
            Kept.keep(server)
            let listener = Loopback.listener()
            onThread { server.acceptForEver(listener) }
            settle()
            Task { await server.shutdown() }
            settle()
        },
    ]
}

/// Leases of which a holder may need another.
final class LeaseBook: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(leases: Int) { state = Mutex(State(free: leases)) }

    func lease() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.free > 0 {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    func giveBack() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}

/// A producer waits for credit, its consumer for an item.
final class CreditWindow: Sendable {
    private let credit = Mutex<CheckedContinuation<Void, Never>?>(nil)
    private let item = Mutex<CheckedContinuation<Void, Never>?>(nil)

    func waitForCredit() async {
        await withCheckedContinuation { continuation in credit.withLock { $0 = continuation } }
    }

    func waitForItem() async {
        await withCheckedContinuation { continuation in item.withLock { $0 = continuation } }
    }

    func grant() { credit.withLock { $0.take() }?.resume() }
    func offer() { item.withLock { $0.take() }?.resume() }
}

/// A server whose last connection never says that it has closed.
final class ServerThatStops: Sendable {
    private let closed = Mutex<CheckedContinuation<Void, Never>?>(nil)

    func acceptForEver(_ listener: Int32) {
        while true {
            let client = accept(listener, nil, nil)
            if client < 0 { closed.withLock { $0.take() }?.resume() }
            close(client)
        }
    }

    func shutdown() async {
        await withCheckedContinuation { continuation in closed.withLock { $0 = continuation } }
    }
}

enum KnotCases {
    static func renewLease(_ leases: LeaseBook) async {
        await leases.lease()
        try? await Task.sleep(for: .milliseconds(200))
        await extendLease(leases)
        leases.giveBack()
    }

    static func extendLease(_ leases: LeaseBook) async {
        await leases.lease()
        leases.giveBack()
    }

    static func produce(_ window: CreditWindow) async {
        await window.waitForCredit()
        window.offer()
    }

    static func consume(_ window: CreditWindow) async {
        await window.waitForItem()
        window.grant()
    }

    static func readUntilFed(
        _ events: AsyncStream<Int>, _ producer: AsyncStream<Int>.Continuation
    ) async {
        for await event in events {
            print(event)
            producer.yield(event + 1)
        }
    }

    static func runWithTimeLimit(_ leases: LeaseBook) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await leases.lease() }
            group.addTask { try? await Task.sleep(for: .milliseconds(100)) }
            await group.next()
            group.cancelAll()
            await group.waitForAll()
        }
        leases.giveBack()
    }
}
