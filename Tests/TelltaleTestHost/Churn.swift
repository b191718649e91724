import Dispatch
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
    private static let crowd = Crowd()

    /// Begins, ends, or reports the remainder: `made 1200 alive 0 running 0`.
    static func perform(_ word: String) -> String {
        switch word {
        case "start":
            crowd.start { run($0) }
            return "started"
        case "stop":
            crowd.stop()
            return "stopping"
        default:
            return "made \(made.load(ordering: .relaxed)) alive \(alive.load(ordering: .relaxed)) "
                + "running \(crowd.running)"
        }
    }

    private static func run(_ number: Int) {
        let queue = DispatchQueue(label: "test.churn.\(number)", attributes: .concurrent)
        var round = 0
        while crowd.goesOn {
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
