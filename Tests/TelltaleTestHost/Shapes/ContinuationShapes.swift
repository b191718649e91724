import Dispatch
import Foundation
import Synchronization

extension Shape {
    /// Tasks that wait for a continuation: a retained one, or one that is lost.
    static let continuations = [
        Shape("continuation-of-timer") {
            Task {
                await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                    let once = Mutex<CheckedContinuation<Void, Never>?>(done)
                    startTimer(after: longTime) { once.withLock { $0.take() }?.resume() }
                }
            }
        },
        Shape("continuation-of-async-after") {
            let task = Task {
                await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                    DispatchQueue.global().asyncAfter(deadline: .now() + longTime) {
                        done.resume()
                    }
                }
            }
            for _ in 0..<3 { Task { await task.value } }
        },
        Shape("continuation-of-sleeping-thread") {
            Task {
                await withUnsafeContinuation { (done: UnsafeContinuation<Void, Never>) in
                    Thread.detachNewThread {
                        Thread.sleep(forTimeInterval: 900)
                        done.resume()
                    }
                }
            }
        },
        // Code that reads the list may or may not exist.
        Shape("continuation-in-global-list") {
            Task {
                await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                    ContinuationShapes.waiting.withLock { $0.append(done) }
                }
            }
        },
        // As a server's task that takes connections from its loop, at the same place each time.
        Shape("continuation-resumed-often") {
            let hatch = Hatch()
            Task { while true { await hatch.next() } }
            Task { while true { await hatch.next() } }
            onThread {
                while true {
                    hatch.open()
                    pause(microseconds: 300)
                }
            }
        },
        // The same with the pauses of a network, each client at its own pace: a search of the
        // memory takes as long as many rounds, and a search may as well see none at all.
        Shape("continuations-resumed-now-and-then") {
            for number in 0..<6 {
                let hatch = Hatch()
                Task(name: "client \(number)") { while true { await hatch.next() } }
                onThread {
                    while true {
                        hatch.open()
                        pause(microseconds: .random(in: 500...(10_000 << (number / 2))))
                    }
                }
            }
        },
        Shape("checked-continuation-lost") {
            Task(name: "lost") { await ContinuationShapes.awaitLostChecked() }
        },
        Shape("unsafe-continuation-lost") {
            Task(name: "lost") { await ContinuationShapes.awaitLostUnsafe() }
        },
        Shape("lost-continuation-with-others-waiting") {
            let refresh = Task(name: "refresh") { await ContinuationShapes.awaitLostRefresh() }
            for number in 0..<3 { Task(name: "reader \(number)") { await refresh.value } }
        },
        Shape("lost-continuation-in-actor") {
            let ledger = Ledger()
            for number in 0..<3 { Task(name: "entry \(number)") { await ledger.write() } }
        },
        Shape("lost-continuation-in-async-let") {
            Task(name: "page") {
                async let head: Void = ContinuationShapes.awaitLostHead()
                await head
            }
        },
        Shape("lost-continuation-in-group") {
            Task(name: "batch") {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask(name: "part 0") { await ContinuationShapes.awaitLostPart() }
                    group.addTask(name: "part 1") {}
                    await group.waitForAll()
                }
            }
        },
        // As a server has its connections; the group itself waits for more of them.
        Shape("lost-continuations-in-discarding-group") {
            Task(name: "server") {
                await withDiscardingTaskGroup { group in
                    for number in 0..<12 {
                        group.addTask(name: "client \(number)") {
                            await ContinuationShapes.awaitLostReply()
                        }
                    }
                    while true { try? await Task.sleep(for: .seconds(1)) }
                }
            }
        },
        Shape("continuation-of-cancelled-timer") {
            Task(name: "retry") { await ContinuationShapes.awaitCancelledTimer() }
        },
        Shape("continuation-of-ended-thread") {
            Task(name: "answer") { await ContinuationShapes.awaitEndedThread() }
        },
        Shape("continuation-resumed-by-cancel-only") {
            Task(name: "subscription") { await ContinuationShapes.awaitCancelOnly() }
        },
        // The usual time-out: a group whose other child ends first, whereupon it cancels the rest.
        Shape("continuation-cancelled-by-time-out") {
            Task(name: "request") {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { await ContinuationShapes.awaitCancelOnly() }
                    group.addTask { try? await Task.sleep(for: .seconds(900)) }
                    await group.next()
                    group.cancelAll()
                }
            }
        },
        // A service that listens and has a timer: neither retains the dropped continuation.
        Shape("lost-continuation-in-server") {
            let listener = Loopback.listener()
            onThread { while true { close(accept(listener, nil, nil)) } }
            startTimer(after: 0.5, every: 0.5) {}
            let refresh = Task(name: "refresh") { await ContinuationShapes.awaitLostRefresh() }
            Task(name: "reader") { await refresh.value }
        },
    ]
}

private enum ContinuationShapes {
    static let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

    static func awaitLostChecked() async {
        await withCheckedContinuation(forget)  // blocks: awaitLostChecked
    }

    static func awaitLostUnsafe() async {
        await withUnsafeContinuation(forgetUnsafe)  // blocks: awaitLostUnsafe
    }

    static func awaitLostRefresh() async {
        await withCheckedContinuation(forget)  // blocks: awaitLostRefresh
    }

    static func awaitLostHead() async {
        await withCheckedContinuation(forget)  // blocks: awaitLostHead
    }

    static func awaitLostPart() async {
        await withCheckedContinuation(forget)  // blocks: awaitLostPart
    }

    static func awaitLostReply() async {
        await withCheckedContinuation(forget)  // blocks: awaitLostReply
    }

    static func awaitCancelledTimer() async {
        await withCheckedContinuation(cancelTimer)  // blocks: awaitCancelledTimer
    }

    private static func cancelTimer(_ done: CheckedContinuation<Void, Never>) {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "shape.timer"))
        timer.schedule(deadline: .now() + longTime)
        timer.setEventHandler { done.resume() }
        timer.activate()
        timer.cancel()
    }

    static func awaitEndedThread() async {
        await withCheckedContinuation(endThread)  // blocks: awaitEndedThread
    }

    // A path on which the callback is forgotten.
    private static func endThread(_ done: CheckedContinuation<Void, Never>) {
        Thread.detachNewThread { if getpid() == 0 { done.resume() } }
    }

    static func awaitCancelOnly() async {
        let once = Once()
        await withTaskCancellationHandler {
            await withCheckedContinuation(once.set)  // blocks: awaitCancelOnly
        } onCancel: {
            once.resume()
        }
    }

    private final class Once: Sendable {
        private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)
        func set(_ done: CheckedContinuation<Void, Never>) { waiting.withLock { $0 = done } }
        func resume() { waiting.withLock { $0.take() }?.resume() }
    }
}

/// A callback that is never called.
private actor Ledger {
    func write() async {
        await withCheckedContinuation(forget)  // blocks: write
    }
}

private func forget(_: CheckedContinuation<Void, Never>) {}
private func forgetUnsafe(_: UnsafeContinuation<Void, Never>) {}

/// Through which things come, one at a time.
private final class Hatch: @unchecked Sendable {  // guarded by its lock
    private let lock = NSLock()
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func next() async {
        await withCheckedContinuation { continuation in
            lock.withLock { waiting.append(continuation) }
        }
    }

    func open() {
        let due = lock.withLock {
            defer { waiting = [] }
            return waiting
        }
        for continuation in due { continuation.resume() }
    }
}
