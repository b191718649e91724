import Dispatch
import Foundation
import TelltaleParked

extension Shape {
    /// Event loops of each kind, idle, at work, and blocked in one of their handlers.
    static let loops =
        [
            Shape("epoll-loop-idle") { LoopShapes.start(PromiseLoop(.level)) },
            Shape("select-loop-idle") { LoopShapes.start(PollLoop(.select)) },
            Shape("ring-loop-idle") { LoopShapes.start(PollLoop(.ring)) },
            Shape("epoll-loop-busy") { LoopShapes.keepBusy(PromiseLoop(.edge)) },
            Shape("select-loop-busy") { LoopShapes.keepBusy(PollLoop(.select)) },
            Shape("ring-loop-busy") { LoopShapes.keepBusy(PollLoop(.ring)) },
            Shape("epoll-loop-blocked") {
                LoopShapes.block(PromiseLoop(.level), LoopShapes.handleOnEpoll)
            },
            Shape("poll-loop-blocked") {
                LoopShapes.block(PollLoop(), LoopShapes.handleOnPoll)
            },
            Shape("select-loop-blocked") {
                LoopShapes.block(PollLoop(.select), LoopShapes.handleOnSelect)
            },
            Shape("nio-loop-idle") { LoopShapes.start(SelectableEventLoop()) },
            Shape("nio-loop-blocked-with-tasks") { LoopShapes.giveTasksToBlocked() },
            Shape("ring-loop-blocked") {
                LoopShapes.block(PollLoop(.ring), LoopShapes.handleOnRing)
            },
        ]
}

enum LoopShapes {
    static func start(_ loop: any TestLoop) {
        if (loop as? PollLoop)?.call == .ring, !Ring.isAllowed {
            say("NOT HERE the kernel allows no io_uring")
            exit(0)
        }
        onThread { loop.run() }
        turn(loop)
        Kept.keep(loop)
    }

    /// Returns when the loop has run its tasks.
    private static func turn(_ loop: any TestLoop) {
        let done = DispatchSemaphore(value: 0)
        loop.execute { done.signal() }
        done.wait()
    }

    /// As a service that serves: things come all the time.
    static func keepBusy(_ loop: any TestLoop) {
        start(loop)
        onThread {
            while true {
                loop.execute { pause(microseconds: 500) }
                pause(microseconds: 2000)
            }
        }
    }

    /// Has the loop block in a handler when it has been idle for a while, and then brings it work.
    static func block(
        _ loop: any TestLoop, _ handler: @escaping @Sendable (DispatchSemaphore) -> Void
    ) {
        start(loop)
        // The loop has to be seen waiting: the agent looks every two seconds.
        pause(microseconds: 2_500_000)
        let answer = DispatchSemaphore(value: 0)
        Kept.keep(answer)
        loop.execute { handler(answer) }
        settle()
        loop.execute {}
        _ = write(loop.openChannel(), "hello", 5)
    }

    /// Tasks that come while it is blocked are in its own memory alone.
    static func giveTasksToBlocked() {
        let loop = SelectableEventLoop()
        start(loop)
        pause(microseconds: 2_500_000)
        let answer = DispatchSemaphore(value: 0)
        Kept.keep(answer)
        loop.execute { handleOnNIO(answer) }
        settle()
        for _ in 0..<7 { loop.execute {} }
        for _ in 0..<3 { loop.schedule() }
    }

    @Sendable static func handleOnNIO(_ answer: DispatchSemaphore) {
        answer.wait()  // blocks: handleOnNIO
    }

    @Sendable static func handleOnEpoll(_ answer: DispatchSemaphore) {
        answer.wait()  // blocks: handleOnEpoll
    }

    @Sendable static func handleOnPoll(_ answer: DispatchSemaphore) {
        answer.wait()  // blocks: handleOnPoll
    }

    @Sendable static func handleOnSelect(_ answer: DispatchSemaphore) {
        answer.wait()  // blocks: handleOnSelect
    }

    @Sendable static func handleOnRing(_ answer: DispatchSemaphore) {
        answer.wait()  // blocks: handleOnRing
    }
}
