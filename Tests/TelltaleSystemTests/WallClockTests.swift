import Testing

@testable import TelltaleSystem

struct WallClockTests {
    @Test("a moment is written in UTC with milliseconds")
    func timestamp() {
        #expect(WallClock.timestamp(nanoseconds: 0) == "1970-01-01T00:00:00.000Z")
        #expect(
            WallClock.timestamp(nanoseconds: 1_795_230_765_118_999_999)
                == "2026-11-21T03:12:45.118Z")
    }
}
