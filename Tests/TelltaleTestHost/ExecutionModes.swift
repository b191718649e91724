import CTelltaleSystem
import Foundation

/// A program that executes itself over and over, from its main thread and from another in turn, while a
/// thread of it asks the one that does so for its stack without a pause.
enum ExecutionModes {
    private static let option = "executions="

    /// Continues the work that the program was executed for.
    static func prepare(_ options: Set<String>) {
        guard
            let left = options.first(where: { $0.hasPrefix(option) })
                .flatMap({ Int($0.dropFirst(option.count)) })
        else { return }
        // The thread that executes it next must block nothing: a signal would only stay pending.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        guard left > 0 else { return say("OK executed") }
        if left % 2 == 0 { execute(left - 1) }
        Thread.detachNewThread { execute(left - 1) }
        while true { pause() }
    }

    /// `executions 100`: the last program says `executed` and continues as a host without an agent.
    static func perform(_ words: [String]) -> String? {
        guard words.first == "executions", let count = words.last.flatMap({ Int($0) }) else {
            return nil
        }
        execute(count)
    }

    private static func execute(_ left: Int) -> Never {
        let thread = Int32(truncatingIfNeeded: ctelltale_thread_id())
        Thread.detachNewThread { ask(thread) }
        // Only a thread that runs is asked, and that must have begun.
        var counts = CTelltaleInterruptCounts()
        repeat { ctelltale_interrupt_counts(&counts) } while counts.answered == 0
        // The kernel copies them before it drops the old program: long enough for a signal.
        let padding = Array(repeating: String(repeating: "x", count: 100_000), count: 15)
        let names = ["telltale-test-host", "unstarted", option + "\(left)"] + padding
        var words: [UnsafeMutablePointer<CChar>?] = names.map { strdup($0) } + [nil]
        execv("/proc/self/exe", &words)
        say("OK errno \(errno)")
        exit(1)
    }

    private static func ask(_ id: Int32) -> Never {
        guard let capture = ctelltale_capture_make(), let images = ctelltale_images_read(nil),
            ctelltale_capture_begin(capture, images) == 0
        else { fatalError("no capture") }
        let frames = UnsafeMutablePointer<CTelltaleFrame>.allocate(capacity: 64)
        var thread = CTelltaleThread()
        while true {
            guard ctelltale_capture_thread(capture, id, &thread, frames, 64),
                thread.end == CTelltaleStackRunning
            else { continue }
            ctelltale_capture_interrupt(capture, &thread, 1, frames, 64)
        }
    }
}
