import Dispatch
import Foundation
import TelltaleAgent

/// Types whose own code would do harm if the agent ran it, and values without an end.
enum Hazards {
    /// An object whose description, mirror and getters end the process.
    final class Trapping: CustomStringConvertible, CustomReflectable, @unchecked Sendable {
        let stored = 5
        var computed: Int { fatalError("a getter was run") }
        lazy var made: Int = { fatalError("a lazy property was made") }()
        var description: String { fatalError("a description was run") }
        var customMirror: Mirror { fatalError("a mirror was made") }
    }

    /// An object whose description waits for a lock that its own thread holds.
    final class Deadlocking: CustomStringConvertible, @unchecked Sendable {
        let stored = 6
        private let gate = DispatchSemaphore(value: 0)
        var description: String {
            gate.wait()
            return "never"
        }
    }

    final class Link {
        let number: Int
        let next: Link?
        init(_ number: Int, _ next: Link?) { (self.number, self.next) = (number, next) }
    }

    /// Deeper than any stack, wider than any answer, and round in a circle.
    final class Endless: @unchecked Sendable {
        var chain: Link?
        var wide = [Int](repeating: 7, count: 2_000_000)
        var text = String(repeating: "long ", count: 400_000)
        var circle: Endless?

        init() {
            for number in 0..<50_000 { chain = Link(number, chain) }
            circle = self
        }
    }

    // Alive as long as the host; a chain this long must not be freed recursively.
    nonisolated(unsafe) private static var kept: [AnyObject] = []

    static func register() {
        let queue = DispatchQueue(label: "test.hazards")
        let trapping = Trapping()
        let deadlocking = Deadlocking()
        let endless = Endless()
        kept = [trapping, deadlocking, endless]
        Telltale.register(trapping, as: "trapping", on: queue)
        Telltale.register(deadlocking, as: "deadlocking", on: queue)
        Telltale.register(endless, as: "endless", on: queue)
        let gate = DispatchSemaphore(value: 0)
        Telltale.register("hung") { () -> Int in
            gate.wait()
            return 1
        }
        Telltale.register("slow") { () -> Int in
            sleep(120)
            return 1
        }
        Telltale.register("greedy") { [String](repeating: "greedy", count: 3_000_000) }
    }
}
