import Dispatch
import Foundation

extension Shape {
    /// Main threads that wait outside of their queue: idle, or with work for them.
    static let mainThreads = [
        Shape(
            "main-waits-for-signal-source",
            main: {
                let ended = DispatchSemaphore(value: 0)
                signal(SIGTERM, SIG_IGN)
                let source = DispatchSource.makeSignalSource(
                    signal: SIGTERM, queue: DispatchQueue(label: "shape.signals"))
                source.setEventHandler { ended.signal() }
                source.activate()
                ended.wait()
                source.cancel()
            }
        ) {},
        Shape(
            "main-in-sigwait",
            main: {
                var signals = sigset_t()
                sigemptyset(&signals)
                sigaddset(&signals, SIGTERM)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                var number: Int32 = 0
                sigwait(&signals, &number)
            }
        ) {},
        Shape(
            "main-in-run-loop",
            main: {
                RunLoop.main.add(
                    Timer(timeInterval: longTime, repeats: true) { _ in }, forMode: .common)
                RunLoop.main.run()
            }
        ) {},
        Shape(
            "main-joins-server-thread",
            main: {
                let listener = Loopback.listener()
                JoinedThread.start { while true { close(accept(listener, nil, nil)) } }.join()
            }
        ) {},
        Shape(
            "main-waits-for-sleeping-task",
            main: {
                // As a command-line tool that calls asynchronous code does.
                let done = DispatchSemaphore(value: 0)
                Task.detached {
                    try? await Task.sleep(for: .seconds(900))
                    done.signal()
                }
                done.wait()
            }
        ) {},
        Shape(
            "main-blocked-with-work-queued",
            main: {
                let answer = DispatchSemaphore(value: 0)
                for _ in 0..<3 { DispatchQueue.main.async {} }
                MainThreadShapes.waitForAnswerOnMain(answer)
            }
        ) {},
        Shape(
            "main-waits-for-task-of-main-actor",
            main: {
                MainThreadShapes.waitForTaskOfMainActor()
            }
        ) {},
        Shape("main-blocked-in-main-actor-task") {
            Task { @MainActor in
                let answer = DispatchSemaphore(value: 0)
                Task { @MainActor in }
                MainThreadShapes.waitForAnswerOnMainActor(answer)
            }
        },
    ]
}

private enum MainThreadShapes {
    static func waitForAnswerOnMain(_ answer: DispatchSemaphore) {
        answer.wait()  // blocks: waitForAnswerOnMain
    }

    static func waitForTaskOfMainActor() {
        let done = DispatchSemaphore(value: 0)
        Task { @MainActor in done.signal() }
        done.wait()  // blocks: waitForTaskOfMainActor
    }

    static func waitForAnswerOnMainActor(_ answer: DispatchSemaphore) {
        answer.wait()  // blocks: waitForAnswerOnMainActor
    }
}
