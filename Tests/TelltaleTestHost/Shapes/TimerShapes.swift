import Dispatch
import Foundation

extension Shape {
    /// A time will come, or would have.
    static let timers = [
        Shape("timer-signals-often") {
            let ticks = DispatchSemaphore(value: 0)
            startTimer(after: 0.2, every: 0.2) { ticks.signal() }
            onThread { while true { TimerShapes.waitForTick(ticks) } }
        },
        Shape("group-left-by-timer") {
            let group = DispatchGroup()
            group.enter()
            startTimer(after: longTime) { group.leave() }
            group.notify(queue: .global()) {}
            onThread { group.wait() }
        },
        Shape("timed-wait-with-others-in-line") {
            let never = DispatchSemaphore(value: 0)
            let line = DispatchQueue(label: "shape.line")
            for _ in 0..<50 { line.async { _ = never.wait(timeout: .now() + 20) } }
        },
        // Near misses of the above: the time will not come.
        Shape("semaphore-of-cancelled-timer") {
            let line = DispatchQueue(label: "shape.line")
            let ready = DispatchSemaphore(value: 0)
            let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "shape.timer"))
            timer.schedule(deadline: .now() + longTime)
            timer.setEventHandler { ready.signal() }
            timer.activate()
            timer.cancel()
            onQueue(line) { TimerShapes.waitForCancelledTimer(ready) }
            standInLine(line)
        },
        Shape("group-never-left-beside-timer") {
            // A timer that has nothing to do with it.
            startTimer(after: longTime, every: longTime) {}
            let publishing = DispatchQueue(label: "shape.publishing")
            onQueue(publishing) {
                let group = DispatchGroup()
                group.enter()
                TimerShapes.waitForGroupNobodyLeaves(group)
            }
            standInLine(publishing)
        },
    ]
}

private enum TimerShapes {
    static func waitForTick(_ ticks: DispatchSemaphore) { ticks.wait() }

    static func waitForCancelledTimer(_ ready: DispatchSemaphore) {
        ready.wait()  // blocks: waitForCancelledTimer
    }

    static func waitForGroupNobodyLeaves(_ group: DispatchGroup) {
        group.wait()  // blocks: waitForGroupNobodyLeaves
    }
}
