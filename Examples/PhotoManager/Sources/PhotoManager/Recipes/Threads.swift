import Foundation

/// A thread that looks whether it was cancelled before its sleep and after it, as every thread should, and one
/// that never asks. Foundation's `Thread` can't be subclassed on Linux; both are made of closures.
@MainActor
final class CancelledThreads {
    private let obedient: Thread
    private let stubborn: Thread
    private let mayEnd = Counter()

    /// Makes both.
    init() {
        obedient = Thread {
            nameOfThisThread = "obedient"
            while !Thread.current.isCancelled {
                Thread.sleep(forTimeInterval: 0.05)
                guard !Thread.current.isCancelled else { return }
            }
        }
        let mayEnd = mayEnd
        stubborn = Thread {
            nameOfThisThread = "stubborn"
            while mayEnd.value == 0 { Thread.sleep(forTimeInterval: 0.05) }
        }
    }

    /// Indicates that the thread that checks for cancellation has ended.
    var obedientHasEnded: Bool { obedient.isFinished }

    /// Indicates that the thread that does not check has ended.
    var stubbornHasEnded: Bool { stubborn.isFinished }

    /// Starts both, and cancels both.
    func startAndCancel() {
        for thread in [obedient, stubborn] { thread.start() }
        for thread in [obedient, stubborn] { thread.cancel() }
    }

    /// Does the part that the stubborn one's author forgot.
    func endAtLast() { mayEnd.increment() }
}

/// A replacement of `performSelector(inBackground:)`: a thread for one piece of work. There is no
/// Objective-C here and so nothing that would be autoreleased.
enum InBackground {
    /// Does something on a thread of its own.
    ///
    /// - Parameter work: Gets the thread's name.
    static func perform(_ work: @escaping @Sendable (String) -> Void) {
        Thread.detachNewThread {
            nameOfThisThread = "background"
            work(nameOfThisThread)
        }
    }
}

/// A `Timer` on a thread with a run loop of its own.
final class RunLoopTimer: @unchecked Sendable {  // all of it is set once
    private let interval: TimeInterval
    private let fire: @Sendable () -> Void
    private let isStopped = Counter()

    init(every interval: TimeInterval, fire: @escaping @Sendable () -> Void) {
        self.interval = interval
        self.fire = fire
    }

    /// Begins to fire.
    func start() {
        let (interval, fire, isStopped) = (interval, fire, isStopped)
        let thread = Thread {
            nameOfThisThread = "repainting"
            let timer = Timer(timeInterval: interval, repeats: true) { timer in
                guard isStopped.value == 0 else {
                    // Its thread may; the run loop then has nothing left and ends.
                    timer.invalidate()
                    return
                }
                fire()
            }
            RunLoop.current.add(timer, forMode: .default)
            while isStopped.value == 0 {
                guard RunLoop.current.run(mode: .default, before: .distantFuture) else { return }
            }
        }
        thread.start()
    }

    /// Does not fire any more, and its thread ends.
    func stop() { isStopped.increment() }
}
