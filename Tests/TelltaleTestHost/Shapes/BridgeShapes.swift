import Dispatch
import Foundation
import FoundationNetworking
import Synchronization

extension Shape {
    /// Threads that wait for asynchronous answers, with other requests in line behind them.
    static let bridges = [
        Shape("bridge-to-sleeping-task") {
            let requests = DispatchQueue(label: "shape.requests")
            for _ in 0..<100 {
                requests.async {
                    BridgeShapes.wait { try? await Task.sleep(for: .seconds(20)) }
                }
            }
        },
        Shape("bridge-to-socket-answer") {
            let server = Loopback.listener()
            let requests = DispatchQueue(label: "shape.requests")
            for _ in 0..<100 {
                requests.async {
                    BridgeShapes.wait { await BridgeShapes.ask(server) }
                }
            }
            // A server in another place would be as slow.
            onThread {
                while true {
                    let client = accept(server, nil, nil)
                    Thread.sleep(forTimeInterval: 20)
                    write(client, "a", 1)
                    close(client)
                }
            }
        },
        Shape("bridge-to-url-session") {
            let server = Loopback.listener()
            let port = Loopback.port(of: server)
            let requests = DispatchQueue(label: "shape.requests")
            onQueue(requests) {
                guard let url = URL(string: "http://127.0.0.1:\(port)/") else { return }
                let done = DispatchSemaphore(value: 0)
                URLSession.shared.dataTask(with: url) { _, _, _ in done.signal() }.resume()
                done.wait()
            }
            standInLine(requests)
        },
        Shape("rate-limiter-on-timer") {
            let limiter = RateLimiter()
            startTimer(after: 5, every: 5) { Task { await limiter.admit() } }
            for _ in 0..<100 { Task { await limiter.turn() } }
        },
        Shape("rate-limiter-bridged") {
            // A turn an hour: the first of many in line has the bridge.
            let gate = TimedGate(every: longTime)
            let requests = DispatchQueue(label: "shape.requests")
            for _ in 0..<10 { requests.async { BridgeShapes.wait { await gate.turn() } } }
        },
        // Near misses: the awaited work has been dropped, or can't begin.
        Shape("bridge-to-lost-continuation") {
            let requests = DispatchQueue(label: "shape.requests")
            onQueue(requests) {
                BridgeShapes.waitForAnswerThatWasLost {
                    await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
                }
            }
            standInLine(requests)
        },
        // An actor's method blocks its thread, and its next callers have no turn meanwhile.
        Shape("actor-bridge-to-sleeping-task") {
            let store = BridgingStore()
            Task {
                await store.load { BridgeShapes.wait { try? await Task.sleep(for: .seconds(900)) } }
            }
            settle()
            for _ in 0..<3 { Task { await store.read() } }
        },
        Shape("actor-bridge-to-lost-continuation") {
            let store = BridgingStore()
            Task {
                await store.load {
                    BridgeShapes.waitForAnswerThatActorLost {
                        await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
                    }
                }
            }
            settle()
            for _ in 0..<3 { Task { await store.read() } }
        },
        Shape("bridge-to-queue-in-own-line") {
            let requests = DispatchQueue(label: "shape.requests")
            onQueue(requests) {
                let done = DispatchSemaphore(value: 0)
                requests.async { done.signal() }
                BridgeShapes.waitForItemBehindOneself(done)
            }
        },
    ]
}

private enum BridgeShapes {
    static func wait(for answer: @escaping @Sendable () async -> Void) {
        let done = DispatchSemaphore(value: 0)
        Task {
            await answer()
            done.signal()
        }
        done.wait()
    }

    static func waitForAnswerThatWasLost(_ answer: @escaping @Sendable () async -> Void) {
        let done = DispatchSemaphore(value: 0)
        Task {
            await answer()
            done.signal()
        }
        done.wait()  // blocks: waitForAnswerThatWasLost
    }

    static func waitForAnswerThatActorLost(_ answer: @escaping @Sendable () async -> Void) {
        let done = DispatchSemaphore(value: 0)
        Task {
            await answer()
            done.signal()
        }
        done.wait()  // blocks: waitForAnswerThatActorLost
    }

    static func waitForItemBehindOneself(_ done: DispatchSemaphore) {
        done.wait()  // blocks: waitForItemBehindOneself
    }

    /// As clients over sockets do: a source resumes the continuation.
    static func ask(_ server: Int32) async {
        let descriptor = Loopback.connection(to: server)
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let source = DispatchSource.makeReadSource(
                fileDescriptor: descriptor, queue: DispatchQueue(label: "shape.client"))
            // The source is kept by its own handler until the answer is there.
            let kept = Mutex<CheckedContinuation<Void, Never>?>(done)
            nonisolated(unsafe) let input = source
            source.setEventHandler {
                input.cancel()
                kept.withLock { $0.take() }?.resume()
            }
            source.setCancelHandler { close(descriptor) }
            source.activate()
        }
    }
}

/// One permit for each tick; its waiters queue up.
actor RateLimiter {
    private var line: [CheckedContinuation<Void, Never>] = []

    func turn() async { await withCheckedContinuation { line.append($0) } }
    func admit() { if !line.isEmpty { line.removeFirst().resume() } }
}

/// Readers wait until it is loaded.
actor BridgingStore {
    private var isLoaded = false

    func load(_ load: @Sendable () -> Void) {
        load()
        isLoaded = true
    }
    func read() -> Bool { isLoaded }
}

/// The same with a lock, and a timer of its own.
final class TimedGate: Sendable {
    private let line = Mutex<[CheckedContinuation<Void, Never>]>([])

    init(every seconds: Double) {
        startTimer(after: seconds, every: seconds) { [self] in
            line.withLock { $0.isEmpty ? nil : $0.removeFirst() }?.resume()
        }
    }

    func turn() async {
        await withCheckedContinuation { turn in line.withLock { $0.append(turn) } }
    }
}
