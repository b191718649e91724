import Foundation
import Synchronization
import TelltaleSystem
import TelltaleTestSupport

/// A client that asks the same requests over and over, on a thread of its own.
final class LookerThread: @unchecked Sendable {
    // Guarded by `lock` until the thread has ended.
    private let lock = NSLock()
    private var answers = 0
    private var slowest: [String: Double] = [:]
    private var failures: [String: Int] = [:]
    private var check: (String, [String: Any]) -> String?
    private let isOver = Atomic(false)
    private let done = DispatchSemaphore(value: 0)

    struct Report {
        var answers: Int
        /// By method, in seconds.
        var slowest: [String: Double]
        /// Refused or wrong answers, with their counts.
        var failures: [String: Int]
    }

    /// Begins to ask.
    ///
    /// - Parameters:
    ///   - path: The agent's socket.
    ///   - requests: Methods with their parameters.
    ///   - pause: Microseconds between two requests.
    ///   - check: What is wrong with a result; nil for nothing.
    init(
        _ path: String, _ requests: [(String, String)], pause: UInt32 = 0,
        check: @escaping (String, [String: Any]) -> String? = { _, _ in nil }
    ) {
        self.check = check
        Thread.detachNewThread { [self] in
            var client: RawClient?
            var number = 0
            while !isOver.load(ordering: .relaxed) {
                if client == nil {
                    client = try? RawClient(path)
                    client?.send(line: RawClient.hello)
                    guard client?.line() != nil else {
                        note("no connection")
                        client = nil
                        usleep(10_000)
                        continue
                    }
                }
                let (method, parameters) = requests[number % requests.count]
                number += 1
                if !ask(client, number, method, parameters) { client = nil }
                if pause > 0 { usleep(pause) }
            }
            done.signal()
        }
    }

    /// The number of answers so far.
    var count: Int { lock.withLock { answers } }

    /// Ends it, and reports its observations.
    func end() -> Report {
        isOver.store(true, ordering: .relaxed)
        done.wait()
        return Report(answers: answers, slowest: slowest, failures: failures)
    }

    private func note(_ failure: String) { lock.withLock { failures[failure, default: 0] += 1 } }

    // False if the connection is of no use any more.
    private func ask(
        _ client: RawClient?, _ number: Int, _ method: String, _ parameters: String
    ) -> Bool {
        let began = MonotonicTime.now
        client?.send(line: Attack.request(method, id: number, parameters))
        var line = client?.line(seconds: 30)
        while let text = line, !text.contains("\"id\":\(number)") {
            line = client?.line(seconds: 30)
        }
        guard let text = line else {
            note("\(method) was not answered")
            return false
        }
        let seconds = MonotonicTime.now.since(began).seconds
        let root = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        lock.withLock {
            answers += 1
            slowest[method] = max(slowest[method] ?? 0, seconds)
        }
        if let result = root?["result"] as? [String: Any] {
            if let wrong = check(method, result) { note("\(method): \(wrong)") }
        } else {
            let error = root?["error"] as? [String: Any]
            note("\(method) \(parameters): \(error?["message"] ?? text.prefix(200))")
        }
        return true
    }
}
