#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleAgent

/// The engine is optimised in debug builds too: without that, a large answer takes ten times as long.
@Suite("The time of a large answer") struct PlanTimeTests {
    private final class Row {
        let a: Int, b: Int, c: Int, d: Int, e = 5
        let title = "a title that is longer than a small string"
        let detail = "some further text of the row, of the same kind"
        let tags = ["one", "two", "three"]
        let isOpen = true
        let x = 1.5, y = 0.1, z = 1234.5678
        let owner: String? = "somebody", deputy: String? = nil
        let limit: Int? = 12
        let state = State.open

        enum State { case open, closed }

        init(_ number: Int) {
            (a, b, c, d) = (number, number * 7, -number, number << 32)
        }
    }

    private final class Table {
        let rows = (0..<10_000).map(Row.init)
    }

    private final class Link {
        weak var before: Link?
        unowned let table: Links
        var any: Any = 7
        var text: any CustomStringConvertible = "some text"

        init(_ table: Links) { self.table = table }
    }

    private final class Links {
        var links: [Link] = []
    }

    private final class Tables {
        let counts = ["one": 1, "two": 2, "three": 3]
        let names = [1: "one", 2: "two", 3: "three"]
        let titles = ["a title": "of some words", "another": "of others"]
        let numbers: Set = [1, 2, 3]
    }

    private final class Closures {
        let first: () -> Void = {}
        let second: (Int) -> Int = { $0 }
        let third: @Sendable () -> Void = {}
        let fourth: (() -> Void)? = {}
    }

    /// Reads a value and writes it as JSON; prints the time of the fastest of 12 runs.
    private func best(_ root: AnyObject, _ name: String) throws -> Duration {
        var limits = ReadLimits(deadline: .now.advanced(by: .seconds(60)))
        limits.elements = 100_000
        let reader = ValueReader(
            limits: limits, masks: MaskPolicy(additionalNames: []), handles: HandleTable())
        var best = Duration.seconds(60)
        var parts = ""
        for _ in 0..<12 {
            let start = ContinuousClock.now
            let content = try reader.readContent(.object(root), rootName: "root", path: [])
            let read = ContinuousClock.now
            reader.number(content, rootName: "root")
            let numbered = ContinuousClock.now
            guard case .packed(let packed) = content else {
                Issue.record("it is not packed")
                return best
            }
            #expect(packed.writeJSON { _ in true })
            let written = ContinuousClock.now
            guard written - start < best else { continue }
            best = written - start
            parts = "\(read - start) read, \(numbered - read) numbers, \(written - numbered) JSON"
        }
        print("\(name):", parts)
        return best
    }

    // Some 20 ms on two cores of 2026, several times that beside other tests.
    @Test("10,000 objects of 16 fields are read and written as JSON")
    func rows() throws {
        let time = try best(Table(), "10,000 objects of 16 fields")
        #expect(time < .milliseconds(100), "\(time)")
    }

    @Test("2,000 objects of references and existentials are read and written as JSON")
    func links() throws {
        let root = Links()
        root.links = (0..<2000).map { _ in Link(root) }
        for (link, next) in zip(root.links, root.links.dropFirst()) { next.before = link }
        let time = try best(root, "2,000 objects of two references and two existentials")
        #expect(time < .milliseconds(100), "\(time)")
    }

    @Test("2,000 objects of dictionaries and sets are read and written as JSON")
    func tables() throws {
        let root = (0..<2000).map { _ in Tables() }
        let time = try best(Held(root), "2,000 objects of three dictionaries and a set")
        #expect(time < .milliseconds(100), "\(time)")
    }

    @Test("2,000 objects of closures are read and written as JSON")
    func closures() throws {
        let root = (0..<2000).map { _ in Closures() }
        let time = try best(Held(root), "2,000 objects of four closures")
        #expect(time < .milliseconds(100), "\(time)")
    }

    private final class Held<Value> {
        let value: Value
        init(_ value: Value) { self.value = value }
    }
}
#endif
