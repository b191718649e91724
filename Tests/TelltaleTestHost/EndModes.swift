import Dispatch
import Foundation

@_silgen_name("fork") private func systemFork() -> Int32

/// The ways in which a process ends of its own accord.
enum EndModes {
    /// The semaphore that a returning `main` waits for.
    static let isReturning = DispatchSemaphore(value: 0)
    private nonisolated(unsafe) static var source: (any DispatchSourceSignal)?

    /// Handlers that are there before the agent starts run after those that come later.
    static func prepare(_ options: Set<String>) {
        guard options.contains("hangs-at-exit") else { return }
        atexit { EndModes.hangAtExit() }
        at_quick_exit { EndModes.hangAtExit() }
    }

    @inline(never)
    private static func hangAtExit() { while true { pause() } }

    static func perform(_ words: [String]) -> String? {
        guard words.first == "end", words.count == 2 else { return nil }
        switch words[1] {
        case "return": isReturning.signal()
        case "exit": DispatchQueue.global().async { exit(0) }
        case "exit-slowly":
            // Others' handlers run after the agent's.
            DispatchQueue.global().async {
                atexit { usleep(1_500_000) }
                exit(0)
            }
        case "main": DispatchQueue.main.async { exit(3) }
        case "quick": DispatchQueue.global().async { quick_exit(0) }
        case "handled":
            let handler = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
            handler.setEventHandler { exit(0) }
            handler.setRegistrationHandler { kill(getpid(), SIGTERM) }
            source = handler
            handler.activate()
        case "child":
            let child = systemFork()
            if child == 0 { exit(0) }
            var status: Int32 = 0
            waitpid(child, &status, 0)
            return "ended \(status)"
        default: return nil
        }
        return "ending"
    }
}
