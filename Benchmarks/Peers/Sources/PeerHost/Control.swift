import Dispatch

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What the harness says on standard input, a line each, and what it is told on standard output.
struct Control {
    let manager: PhotoManager
    let crowd: Crowd
    let threads: Int

    /// Says that all is there, and answers until the harness is done.
    func run() -> Never {
        Self.say("READY \(getpid())")
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            if words.first == "quit" { break }
            Self.say("OK \(answer(to: words))")
        }
        exit(0)
    }

    private func answer(to words: [String]) -> String {
        switch (words.first, words.dropFirst().first) {
        case ("prompt", _):
            manager.queue.sync { manager.prompt }
        case ("threads", _):
            "\(threads)"
        case ("work", _):
            work(words.dropFirst().compactMap { Int($0) })
        case ("tick", let verb):
            tick(verb)
        default:
            "0"
        }
    }

    private func work(_ numbers: [Int]) -> String {
        guard numbers.count == 2, numbers.allSatisfy({ $0 >= 0 }) else { return "0" }
        let time = crowd.workload.run(items: numbers[0], iterations: numbers[1])
        return "\(time.inMicroseconds)"
    }

    private func tick(_ verb: String?) -> String {
        switch verb {
        case "start": crowd.ticker.start()
        case "stop": crowd.ticker.stop()
        case "reset": crowd.ticker.reset()
        default:
            let state = crowd.ticker.state
            return "\(state.longest) \(state.ticks)"
        }
        return "0"
    }

    // Not `print`, which keeps its lines back where standard output is a file.
    private static func say(_ line: String) { put("\(line)\n", on: STDOUT_FILENO) }

    /// Says on standard error what is wrong.
    static func complain(_ line: String) { put("peer-host: \(line)\n", on: STDERR_FILENO) }

    private static func put(_ text: String, on descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { exit(1) }
            rest = rest.dropFirst(count)
        }
    }
}
