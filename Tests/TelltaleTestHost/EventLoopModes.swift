import Dispatch
import Foundation
import TelltaleParked

/// Event loops in the states that `stuck` has to tell from each other.
final class EventLoopModes: @unchecked Sendable {
    // Used by the thread that reads the lines alone.
    private static let shared = EventLoopModes()
    private var loop: (any TestLoop)?

    /// `loop start epoll`, `loop block`, `loop busy`: see the cases.
    static func perform(_ words: [String]) -> String? {
        guard words.first == "loop", words.count > 1 else { return nil }
        return shared.perform(words[1], words.dropFirst(2).first ?? "")
    }

    private func perform(_ word: String, _ detail: String) -> String? {
        if word == "start" { return start(detail) }
        guard let loop else { return "no loop" }
        switch word {
        case "turn": return turn(loop)
        case "block":
            handle(loop) { UserLookup.askBackend(DispatchSemaphore(value: 0)) }
            knock(loop)
        case "block-silently":
            handle(loop) { UserLookup.askBackend(DispatchSemaphore(value: 0)) }
            // As NIO's loop, whose counter is not written while it handles events.
            loop.executeSilently {}
        case "read":
            handle(loop) { UserLookup.readFromNowhere() }
            knock(loop)
        case "sleep":
            handle(loop) { Thread.sleep(forTimeInterval: 3600) }
            knock(loop)
        case "long": repeatedly(loop) { usleep(200_000) }
        case "spin":
            handle(loop) { while true {} }
            knock(loop)
        case "busy": keepBusy(loop)
        case "bridge": bridge(loop)
        default: return nil
        }
        return "done"
    }

    private func start(_ kind: String) -> String {
        let loop: any TestLoop
        switch kind {
        case "epoll": loop = PromiseLoop(.level)
        case "edge": loop = PromiseLoop(.edge)
        case "one-shot": loop = PromiseLoop(.oneShot)
        case "timer": loop = PromiseLoop(.level, timerEvery: 1)
        case "poll": loop = PollLoop()
        case "select": loop = PollLoop(.select)
        case "io_uring": loop = PollLoop(.ring)
        default: return "unknown"
        }
        self.loop = loop
        Thread.detachNewThread { loop.run() }
        return turn(loop)
    }

    /// Waits until the loop has run its tasks.
    private func turn(_ loop: any TestLoop) -> String {
        let done = DispatchSemaphore(value: 0)
        loop.execute { done.signal() }
        return done.wait(timeout: .now() + 5) == .success ? "turned" : "doesn't turn"
    }

    /// Has the loop run a handler, and returns when it does.
    private func handle(_ loop: any TestLoop, _ body: @escaping @Sendable () -> Void) {
        let begun = DispatchSemaphore(value: 0)
        loop.execute {
            begun.signal()
            body()
        }
        begun.wait()
    }

    /// Work that comes while the loop is in its handler: a wake-up, and bytes in a channel.
    private func knock(_ loop: any TestLoop) {
        loop.execute {}
        _ = write(loop.openChannel(), "hello", 5)
    }

    private func repeatedly(_ loop: any TestLoop, _ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread {
            while true {
                loop.execute(body)
                usleep(20_000)
            }
        }
    }

    // Two thousand events in a second, and a timer of its own where it was started with one.
    private func keepBusy(_ loop: any TestLoop) {
        Thread.detachNewThread {
            while true {
                for _ in 0..<2 { loop.execute {} }
                usleep(1000)
            }
        }
    }

    // A queue waits for a promise that the loop keeps, and the loop is in a handler that doesn't return.
    private func bridge(_ loop: any TestLoop) {
        handle(loop) { UserLookup.askBackend(DispatchSemaphore(value: 0)) }
        let begun = DispatchSemaphore(value: 0)
        DispatchQueue(label: "test.bridge").async {
            begun.signal()
            UserLookup.waitForLoop(loop)
        }
        begun.wait()
        knock(loop)
    }
}

/// Calls that handlers ought not to make.
enum UserLookup {
    @inline(never) static func askBackend(_ answer: DispatchSemaphore) {
        answer.wait()  // a handler that blocks its loop
    }

    @inline(never) static func readFromNowhere() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        var byte: UInt8 = 0
        read(ends[0], &byte, 1)  // a handler that reads what never comes
    }

    @inline(never) static func waitForLoop(_ loop: any TestLoop) {
        let kept = DispatchSemaphore(value: 0)
        loop.execute { kept.signal() }
        kept.wait()  // a bridge to the loop
    }
}
