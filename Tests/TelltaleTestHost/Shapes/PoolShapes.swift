import Dispatch
import Foundation

extension Shape {
    /// Pools: Swift's own, which has a thread for each core and no more, and Dispatch's.
    static let pools = [
        Shape("swift-pool-busy") {
            for _ in 0..<PoolShapes.width * 4 {
                Task.detached {
                    while true {
                        PoolShapes.compute(for: 0.2)
                        await Task.yield()
                    }
                }
            }
        },
        Shape("swift-pool-sleeps") {
            for _ in 0..<PoolShapes.width * 50 {
                Task.detached { PoolShapes.sleep() }
            }
        },
        // Dispatch's pool, whose first threads all serve others for good: an item that comes then
        // waits a second for a thread of its own.
        Shape("pool-of-consumers-with-rare-items") {
            let jobs = DispatchSemaphore(value: 0)
            startTimer(after: longTime) { jobs.signal() }
            for _ in 0..<PoolShapes.width {
                onQueue(.global()) { while true { jobs.wait() } }
            }
            // A thread without work ends after five seconds.
            startTimer(after: 0.5, every: 7) { DispatchQueue.global().async {} }
        },
        Shape("swift-pool-blocked") {
            let answers = DispatchSemaphore(value: 0)
            for number in 0..<PoolShapes.width {
                Task.detached(name: "blocked \(number)") {
                    PoolShapes.waitForAnswerOnPool(answers)
                }
            }
            settle()
            for number in 0..<5 { Task.detached(name: "waiting \(number)") {} }
        },
        Shape("swift-pool-waits-for-own-tasks") {
            for number in 0..<PoolShapes.width {
                Task.detached(name: "outer \(number)") {
                    // Until each thread has one like this.
                    settle()
                    PoolShapes.waitForTaskThatHasNoThread()
                }
            }
            settle()
        },
    ]
}

private enum PoolShapes {
    static let width = ProcessInfo.processInfo.activeProcessorCount

    static func compute(for seconds: Double) {
        let end = DispatchTime.now() + seconds
        while .now() < end {}
    }

    static func sleep() { Thread.sleep(forTimeInterval: 8) }

    static func waitForAnswerOnPool(_ answers: DispatchSemaphore) {
        answers.wait()  // blocks: waitForAnswerOnPool
    }

    static func waitForTaskThatHasNoThread() {
        let done = DispatchSemaphore(value: 0)
        Task.detached(name: "inner") { done.signal() }
        done.wait()  // blocks: waitForTaskThatHasNoThread
    }
}
