#if TELLTALE_AGENT
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleRuntime

/// The parts of libdispatch's memory that can be read here.
@Suite struct DispatchLayoutTests {
    @Test func everyPartHoldsInThisToolchain() throws {
        try DispatchLayout.waitUntilKnown()
        let layout = DispatchLayout.known(by: .now.advanced(by: .seconds(10)))
        #expect(layout.notes == [])
        #expect(Set(layout.kinds.values).count >= 7)
    }

    @Test func theTrialIsShortAndLeavesNothingBehind() {
        // A part that got no thread in time says so, which the agent tries again.
        var tries: [(failures: Int, time: Duration)] = []
        while !tries.contains(where: { $0.failures == 0 && $0.time < .seconds(2) }),
            tries.count < 5
        {
            let began = MonotonicTime.now
            let failures = DispatchLayout.tried().failures.count
            tries.append((failures, MonotonicTime.now.since(began)))
        }
        #expect(
            tries.contains { $0.failures == 0 && $0.time < .seconds(2) }, "\(tries)")
    }
}

extension DispatchLayout {
    /// Waits until all of it is known, which takes milliseconds where the machine has a core to spare.
    static func waitUntilKnown() throws {
        var notes: [String] = []
        try waitUntil("Dispatch's layout is known, which says \(notes)") {
            notes = DispatchLayout.known(by: .now.advanced(by: .seconds(1))).notes
            return notes.isEmpty
        }
    }
}
#endif
