#if TELLTALE_AGENT
import Foundation
import TelltalePicture
import TelltaleSystem
import TelltaleTestSupport

@testable import TelltaleAgent

/// Tasks that wait for continuations, of which one in ten is kept.
struct ManyContinuations {
    struct Result: Sendable {
        var gap: String?
        var held = 0
        var deadAmongHeld = 0
        var deadAmongDropped = 0
    }

    private let count: Int

    init(_ count: Int) {
        self.count = count
        for index in 0..<count {
            Task.detached(name: index % 10 == 0 ? "thousands held" : "thousands dropped") {
                await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                    if index % 10 == 0 { ManyKept.shared.keep(continuation) }
                }
            }
        }
    }

    func search() throws -> Result {
        defer {
            let all = ManyKept.shared.takeAll()
            for continuation in all { continuation.resume() }
        }
        let found = Locked<Swift.Result<Result, any Error>?>(nil)
        try NativeThread.start(name: "telltale-search", stackBytes: 4 << 20) { [count] in
            let result = Swift.Result { try Self.search(count) }
            found.withLock { $0 = result }
        }
        try waitUntil("all were searched", seconds: 120) { found.withLock { $0 != nil } }
        return try found.withLock { try $0?.get() ?? Result() }
    }

    private static func search(_ count: Int) throws -> Result {
        let deadline = MonotonicTime.now.advanced(by: .seconds(100))
        while .now < deadline {
            let picture = try Captured.picture(.all.subtracting(.operations))
            let tasks = picture.tasks.filter {
                $0.name?.hasPrefix("thousands ") == true && $0.waitsFor == .continuation
                    && $0.state == .suspended
            }
            guard tasks.count == count else { continue }
            let result = HolderSearch.find(
                tasks.map { .continuation(task: $0.address) }, in: picture,
                agent: try Captured.agent.get(), until: deadline)
            var sum = Result(gap: result.gap)
            for task in tasks {
                let holders = result.holders[.continuation(task: task.address)]
                let isDead = holders.map { $0.isWhole && $0.roots.isEmpty } ?? false
                if task.name == "thousands held" {
                    sum.held += 1
                    if isDead { sum.deadAmongHeld += 1 }
                } else if isDead {
                    sum.deadAmongDropped += 1
                }
            }
            return sum
        }
        return Result(gap: "they did not come to wait")
    }
}

/// A store of the program's: objects in one of the agent's stores don't count as retained.
private final class ManyKept: @unchecked Sendable {  // the lock guards what it keeps
    static let shared = ManyKept()
    private let lock = NSLock()
    private var continuations: [UnsafeContinuation<Void, Never>] = []

    func keep(_ continuation: UnsafeContinuation<Void, Never>) {
        lock.withLock { continuations.append(continuation) }
    }

    func takeAll() -> [UnsafeContinuation<Void, Never>] {
        lock.withLock {
            defer { continuations = [] }
            return continuations
        }
    }
}
#endif
