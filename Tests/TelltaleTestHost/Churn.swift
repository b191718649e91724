import Dispatch
import Foundation
import Synchronization
import TelltaleAgent

/// Objects that come and go under eight threads while they are looked at.
final class Churn: Sendable {
    private final class Item: @unchecked Sendable {
        // Guarded by the churn's queue.
        var title: String
        var parts: [String: [Int]] = [:]
        var next: Item?

        init(_ title: String) {
            self.title = title
            Churn.alive.add(1, ordering: .relaxed)
        }

        deinit { Churn.alive.subtract(1, ordering: .relaxed) }
    }

    private static let alive = Atomic(0)
    private static let made = Atomic(0)
    private static let goesOn = Atomic(false)
    private static let running = Atomic(0)

    /// Begins, ends, or says what is left: `made 1200 alive 0 running 0`.
    static func perform(_ word: String) -> String {
        switch word {
        case "start":
            goesOn.store(true, ordering: .releasing)
            for number in 0..<8 {
                running.add(1, ordering: .relaxed)
                Thread.detachNewThread {
                    run(number)
                    running.subtract(1, ordering: .releasing)
                }
            }
            return "started"
        case "stop":
            goesOn.store(false, ordering: .releasing)
            return "stopping"
        default:
            return "made \(made.load(ordering: .relaxed)) alive \(alive.load(ordering: .relaxed)) "
                + "running \(running.load(ordering: .acquiring))"
        }
    }

    private static func run(_ number: Int) {
        let queue = DispatchQueue(label: "test.churn.\(number)", attributes: .concurrent)
        var round = 0
        while goesOn.load(ordering: .acquiring) {
            round += 1
            let item = Item("item \(round)")
            made.add(1, ordering: .relaxed)
            // The same few names over and over, by every thread.
            let registration = Telltale.register(item, as: "churn\(round % 5)", on: queue)
            for step in 0..<4 {
                queue.sync(flags: .barrier) {
                    item.title += "…"
                    item.parts["part \(step)"] = [round, step]
                    item.next = Item("next of \(round)")
                }
            }
            if round % 3 != 0 { registration.end() }
        }
    }
}
