import Dispatch
import Foundation
import Synchronization
import TelltaleAgent
import TelltaleParked

/// Eight threads that make, fill, drain, suspend and free queues, groups, semaphores, timers and tasks, and
/// one that changes Foundation's values.
enum Turmoil {
    private static let crowd = Crowd()
    private static let rounds = Atomic(0)
    private static let tasks = Atomic(0)
    private static let teller = Teller()
    /// Lives all the time, so that clients can suspend it.
    private static let lasting = DispatchQueue(label: "turmoil.lasting")
    private static let race = FoundationRace()
    private static let quiet = Mutex<[any Sendable]>([])

    /// `turmoil start`, `turmoil stop`, `turmoil quiet`; `turmoil` says how much there was, and what
    /// still goes on: `rounds 200 running 8 tasks 3`.
    static func perform(_ words: [String]) -> String? {
        guard words.first == "turmoil" else { return nil }
        switch words.dropFirst().first {
        case "start":
            Telltale.observe(lasting)
            race.register()
            crowd.start { run($0) }
            Thread.detachNewThread {
                var round = 0
                while crowd.goesOn {
                    round += 1
                    race.turn(round)
                }
            }
            return "started"
        case "stop":
            crowd.stop()
            return "stopping"
        case "quiet": return makeQuiet()
        default:
            return "rounds \(rounds.load(ordering: .relaxed)) "
                + "running \(crowd.running) "
                + "tasks \(tasks.load(ordering: .acquiring))"
        }
    }

    private static func run(_ number: Int) {
        var queues: [DispatchQueue] = []
        var round = 0
        while crowd.goesOn {
            round += 1
            autoreleasing {
                queues.append(turn("turmoil.\(number).\(round)", round))
                if round % 4 == 0 { spawn(number, round) }
            }
            if queues.count > 10 { queues.removeFirst(5) }
            rounds.add(1, ordering: .relaxed)
        }
        for queue in queues { queue.sync(flags: .barrier) {} }
    }

    private static func autoreleasing(_ body: () -> Void) { body() }

    private static func turn(_ label: String, _ round: Int) -> DispatchQueue {
        let group = DispatchGroup()
        let queue = DispatchTurn.run(label, round, group: group) { queue in
            group.enter()
            group.notify(queue: queue) {}
        }
        group.leave()
        if round % 7 == 0 { lasting.async {} }
        let semaphore = DispatchSemaphore(value: 1)
        semaphore.wait()
        queue.async { semaphore.signal() }
        semaphore.wait()
        semaphore.signal()
        return queue
    }

    private static func spawn(_ number: Int, _ round: Int) {
        tasks.add(1, ordering: .relaxed)
        let task = Task(name: "turmoil \(number) \(round)") {
            defer { tasks.subtract(1, ordering: .releasing) }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask(name: "turmoil child") {
                        await teller.count()
                        try? await Task.sleep(for: .milliseconds(1))
                    }
                }
            }
        }
        if round % 8 == 0 { task.cancel() }
        // No more than the pool keeps up with.
        while tasks.load(ordering: .relaxed) > 200 { usleep(500) }
    }

    /// The counts when nothing moves any more.
    private static func makeQuiet() -> String {
        var made: [any Sendable] = []
        for number in 0..<50 {
            made.append(DispatchQueue(label: "quiet.\(number)"))
            let queue = DispatchQueue(label: "quiet.held.\(number)", attributes: .concurrent)
            queue.suspend()
            for _ in 0...number { queue.async {} }
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now() + 5000, repeating: 777)
            timer.setEventHandler {}
            timer.resume()
            let group = DispatchGroup()
            for _ in 0..<1234 { group.enter() }
            made += [queue, Kept(timer), group]
            Task(name: "quiet task") { await TaskModes.pause() }
        }
        quiet.withLock { $0 += made }
        return "quiet"
    }

    // Without an owner: kept, and not used.
    private struct Kept: @unchecked Sendable {
        let value: Any
        init(_ value: Any) { self.value = value }
    }

    private actor Teller {
        private var number = 0
        func count() { number += 1 }
    }
}
