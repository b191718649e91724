#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import TelltaleAgentSystem
    import Testing

    @testable import TelltaleAgent

    /// What of libdispatch's memory can be read here.
    @Suite struct DispatchLayoutTests {
        @Test func everyPartHoldsInThisToolchain() {
            let layout = DispatchLayout.known(by: .now.advanced(by: .seconds(10)))
            #expect(layout.notes == [])
            #expect(Set(layout.kinds.values).count >= 7)
        }

        @Test func theTrialIsShortAndLeavesNothingBehind() {
            let began = MonotonicTime.now
            let layout = DispatchSelfTest.run()
            #expect(layout.failures.isEmpty)
            #expect(MonotonicTime.now.since(began) < .seconds(2))
            print("trial", MonotonicTime.now.since(began))
        }
    }
#endif
