import Dispatch
import Foundation
import Synchronization

/// A value that is made once, however many ask for it at the same time: a static property is Swift's
/// `dispatch_once`.
enum OnceMade {
    private static let made = Counter()
    private static let value: Int = {
        made.increment()
        // Long enough for the others to come.
        Thread.sleep(forTimeInterval: 0.01)
        return 42
    }()

    /// Has many threads ask for the value.
    ///
    /// - Parameter count: How often.
    /// - Returns: How often it was made: once.
    static func ask(_ count: Int) -> Int {
        DispatchQueue.concurrentPerform(iterations: count) { _ in _ = value }
        return made.value
    }
}

/// The same three jobs in a serial queue, which does them in their order, and in a concurrent one.
enum ThreeJobs {
    /// Does them.
    ///
    /// - Parameter completion: Called on the main queue with the numbers seen.
    static func begin(_ completion: @escaping @MainActor @Sendable (String) -> Void) {
        let serial = DispatchQueue(label: "com.telltale.jobs.serial")
        let concurrent = DispatchQueue(
            label: "com.telltale.jobs.concurrent", attributes: .concurrent)
        let (first, second) = (NumberList(), NumberList())
        let jobs = DispatchGroup()
        for (queue, numbers) in [(serial, first), (concurrent, second)] {
            for job in 0..<3 {
                queue.async(group: jobs) {
                    for number in 0..<1_000 { numbers.append(job * 1_000 + number) }
                }
            }
        }
        jobs.notify(queue: .main) {
            let inOrder = first.values == Array(0..<3_000)
            let all = second.values.sorted() == Array(0..<3_000)
            let texts = [inOrder ? "in order" : "mixed up", all ? "all" : "some"]
            MainActor.assumeIsolated {
                completion("serial \(texts[0]), concurrent \(texts[1]) of 3000 numbers")
            }
        }
    }
}

/// Numbers that several threads add to.
final class NumberList: Sendable {
    private let numbers: Mutex<[Int]>

    init(_ numbers: [Int] = []) { self.numbers = Mutex(numbers) }

    var values: [Int] { numbers.withLock { $0 } }

    func append(_ number: Int) { numbers.withLock { $0.append(number) } }
}

/// 10,000 random numbers: made and stored in a file, read and sorted, all on a background queue.
enum RandomNumbers {
    static let count = 10_000

    /// Does it.
    ///
    /// - Parameter completion: Called on the main queue with the result.
    static func begin(_ completion: @escaping @MainActor @Sendable (String) -> Void) {
        DispatchQueue.global(qos: .background).async {
            let text: String
            do {
                let sorted = try sortedNumbers(in: FileManager.default.temporaryDirectory)
                let ends = "\(sorted.first ?? 0) to \(sorted.last ?? 0)"
                text = "\(sorted.count) numbers sorted, from \(ends)"
            } catch {
                text = "no numbers: \(error)"
            }
            DispatchQueue.main.async { completion(text) }
        }
    }

    /// Makes the numbers, stores them, and reads and sorts them. The file is removed again.
    ///
    /// - Parameter folder: Where the file is.
    /// - Returns: The numbers in their order.
    /// - Throws: What keeps the file from being written or read.
    static func sortedNumbers(in folder: URL) throws -> [Int] {
        let file = folder.appendingPathComponent("photo-manager-\(UUID().uuidString).numbers")
        defer { try? FileManager.default.removeItem(at: file) }
        let numbers = (0..<count).map { _ in Int.random(in: 0..<1_000_000) }
        let lines = numbers.map(String.init).joined(separator: "\n")
        try Data(lines.utf8).write(to: file, options: .atomic)
        let stored = try String(contentsOf: file, encoding: .utf8)
        return stored.split(separator: "\n").compactMap { Int($0) }.sorted()
    }
}
