import Foundation
import Synchronization
import TelltaleAgent
import TelltaleMachinery

/// Tasks and actors in states that the tests know.
enum TaskModes {
    private static let held = Mutex<[UnsafeContinuation<Void, Never>]>([])
    private static let observed = Mutex<[Task<Void, Never>]>([])
    private static let till = Till()

    /// `tasks stage`, `tasks many 5000`, `tasks served 48`, `tasks lost 48`, `tasks observe`, `tasks end`.
    ///
    /// - Returns: The answer once it is so; nil for another line.
    static func perform(_ words: [String]) -> String? {
        guard words.first == "tasks" else { return nil }
        switch words.dropFirst().first {
        case "stage": return stage()
        case "many":
            let count = Int(words.last ?? "") ?? 100
            for index in 0..<count { Task(name: "many \(index)") { await pause() } }
            return wait(for: count)
        case "served", "lost":
            let isLost = words.contains("lost")
            for _ in 0..<(Int(words.last ?? "") ?? 48) {
                Task { await Connection.serve(Feed(losesContinuations: isLost)) }
            }
            if !isLost { Feed.attend() }
            usleep(100_000)
            return "ready"
        case "observe":
            let task = Task(name: "observed") {
                await withTaskCancellationHandler {
                    await pause()
                } onCancel: {
                    say("CANCELLED")
                    letGo()
                }
            }
            observed.withLock { $0.append(task) }
            Telltale.observe(task)
            return wait(for: 1)
        case "end":
            letGo()
            till.open()
            return "ended"
        default: return nil
        }
    }

    private static func stage() -> String {
        Telltale.register(till, as: "till")
        let stuck = Task(name: "stuck", priority: .low) { await neverResumed() }
        Task(name: "reader") { await stuck.value }
        Task(name: "group") {
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<2 { group.addTask(name: "child \(index)") { await pause() } }
                await group.waitForAll()
            }
        }
        Task(name: "sleeper") { try? await Task.sleep(for: .seconds(600)) }
        Task(name: "audit") { await till.audit() }
        guard wait(for: 4) == "ready" else { return "not staged" }
        Task.detached(name: "holder") { await till.hold() }
        while !till.isHeld { usleep(1000) }
        for index in 0..<3 { Task.detached(name: "customer \(index)") { await till.pay() } }
        return "ready"
    }

    @inline(never) private static func neverResumed() async {
        await withUnsafeContinuation { hold($0) }
    }

    @inline(never) static func pause() async {
        await withUnsafeContinuation { hold($0) }
    }

    static func hold(_ continuation: UnsafeContinuation<Void, Never>) {
        held.withLock { $0.append(continuation) }
    }

    private static func letGo() {
        let all = held.withLock { held in
            defer { held = [] }
            return held
        }
        for continuation in all { continuation.resume() }
    }

    /// The number of tasks that wait for a signal that never comes.
    static var heldCount: Int { held.withLock { $0.count } }

    /// Waits until so many do, as long as a slow machine takes.
    static func wait(for count: Int) -> String {
        for _ in 0..<50_000 {
            if heldCount >= count {
                // The last one has yet to leave its thread.
                usleep(20_000)
                return "ready"
            }
            usleep(1000)
        }
        return "only \(heldCount)"
    }
}

/// A server's work for each of its clients.
enum Connection {
    @inline(never)
    static func serve(_ feed: Feed) async {
        for await number in feed { print(number) }
    }
}

/// An actor that is blocked by its job.
actor Till {
    private static let gate = DispatchSemaphore(value: 0)
    private static let held = Atomic(false)
    private var paid = 0

    nonisolated var isHeld: Bool { Self.held.load(ordering: .acquiring) }
    nonisolated func open() { Self.gate.signal() }

    func hold() {
        Self.held.store(true, ordering: .releasing)
        Self.gate.wait()
    }

    func pay() { paid += 1 }
    func audit() async { await withUnsafeContinuation { TaskModes.hold($0) } }
}
