import Dispatch
import Foundation
import Synchronization
import TelltaleAgent

/// Eight threads that write objects with fields of every kind: under their owners, or under none.
enum Writers {
    /// The values written follow from a number below this one.
    static let numbers = 16

    private static let crowd = Crowd()
    private static let rounds = Atomic(0)
    private static let owners: [any WrittenOwner] = [
        SerialOwner(), ConcurrentOwner(), LockOwner(), ActorOwner(), MainOwner(),
    ]
    private static let shared = WrittenGuarded()
    private static let loose = (0..<8).map { _ in Written() }

    /// `writers register`; `writers set 3` has everything written for a number; `writers start` has them
    /// written all the time under their owners, `writers loose` those that have none; `writers stop`
    /// ends that, and `writers` says how often they were written, and how many threads go on:
    /// `rounds 200 running 8`.
    static func perform(_ words: [String]) -> String? {
        guard words.first == "writers" else { return nil }
        switch words.dropFirst().first {
        case "register": register()
        case "set":
            let number = Int(words.last ?? "") ?? 0
            for owner in owners { owner.write(number) }
            shared.write(number)
            return "set"
        case "start":
            crowd.start { thread in
                go { number in
                    owners[thread % owners.count].write(number)
                    shared.write(number)
                }
            }
        case "loose": crowd.start { thread in go { loose[thread].write($0) } }
        case "stop": crowd.stop()
        default: break
        }
        return "rounds \(rounds.load(ordering: .relaxed)) running \(crowd.running)"
    }

    private static func register() {
        for owner in owners { owner.register() }
        Telltale.register(shared, as: "written.shared")
        // A user's mistake: they have no owner.
        for (number, object) in loose.enumerated() {
            Telltale.register(object, as: "loose.\(number)")
        }
    }

    private static func go(_ write: (Int) -> Void) {
        var generator = SystemRandomNumberGenerator()
        while crowd.goesOn {
            write(Int.random(in: 0..<numbers, using: &generator))
            rounds.add(1, ordering: .relaxed)
            // The agent's threads, and the test's, have two cores with them.
            usleep(UInt32.random(in: 0..<300, using: &generator))
        }
    }
}

/// The owner of an object that is written.
private protocol WrittenOwner: Sendable {
    func register()
    func write(_ number: Int)
}

private final class SerialOwner: WrittenOwner {
    private let object = Written()
    private let queue = DispatchQueue(label: "written.serial")
    func register() { Telltale.register(object, as: "written.serial", on: queue) }
    func write(_ number: Int) { queue.sync { object.write(number) } }
}

private final class ConcurrentOwner: WrittenOwner {
    private let object = Written()
    private let queue = DispatchQueue(label: "written.concurrent", attributes: .concurrent)
    func register() { Telltale.register(object, as: "written.concurrent", on: queue) }
    func write(_ number: Int) { queue.sync(flags: .barrier) { object.write(number) } }
}

private final class LockOwner: WrittenOwner {
    private let object = Written()
    private let lock = NSLock()
    func register() {
        let lock = lock
        Telltale.register(object, as: "written.lock", under: { body in lock.withLock { body() } })
    }
    func write(_ number: Int) { lock.withLock { object.write(number) } }
}

private final class ActorOwner: WrittenOwner {
    private actor Holder {
        private let object = Written()
        func write(_ number: Int) { object.write(number) }
    }

    private let holder = Holder()
    func register() { Telltale.register(holder, as: "written.actor") }
    func write(_ number: Int) {
        let done = DispatchSemaphore(value: 0)
        Task {
            await holder.write(number)
            done.signal()
        }
        done.wait()
    }
}

private final class MainOwner: WrittenOwner {
    private let object = Written()
    func register() { Telltale.register(object, as: "written.main", on: MainActor.shared) }
    func write(_ number: Int) { DispatchQueue.main.sync { object.write(number) } }
}
