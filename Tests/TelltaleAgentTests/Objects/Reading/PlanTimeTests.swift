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

    @Test("10,000 objects of 16 fields are read and written as JSON")
    func rows() throws {
        var limits = ReadLimits(deadline: .now.advanced(by: .seconds(60)))
        limits.elements = 100_000
        let reader = ValueReader(
            limits: limits, masks: MaskPolicy(additionalNames: []), handles: HandleTable())
        let table = Table()
        var best = Duration.seconds(60)
        var parts = ""
        for _ in 0..<12 {
            let start = ContinuousClock.now
            let content = try reader.readContent(.object(table), rootName: "table", path: [])
            let read = ContinuousClock.now
            reader.number(content, rootName: "table")
            let numbered = ContinuousClock.now
            guard case .packed(let packed) = content else {
                Issue.record("it is not packed")
                return
            }
            var bytes = 0
            #expect(
                packed.writeJSON {
                    bytes += $0.count
                    return true
                })
            #expect(bytes > 10_000_000)
            let written = ContinuousClock.now
            guard written - start < best else { continue }
            best = written - start
            parts = "\(read - start) read, \(numbered - read) numbers, \(written - numbered) JSON"
        }
        print("10,000 objects of 16 fields:", parts)
        // Some 20 ms on two cores of 2026, several times that beside other tests.
        #expect(best < .milliseconds(100), "\(best)")
    }
}
#endif
