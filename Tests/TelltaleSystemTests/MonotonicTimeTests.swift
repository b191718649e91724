import Testing

@testable import TelltaleSystem

@Suite("A moment of the monotonic clock")
struct MonotonicTimeTests {
    @Test(
        "it is moved by whole nanoseconds, never back, and never beyond its end",
        arguments: [
            (Duration.zero, 1000), (.nanoseconds(1), 1001), (.seconds(-3), 1000),
            (Duration(secondsComponent: 0, attosecondsComponent: 1_999_999_999), 1001),
            (.milliseconds(20), 20_001_000), (.seconds(30), 30_000_001_000),
            (.seconds(3_600 * 24 * 365 * 500), 15_768_000_000_000_001_000),
            // 1000 and this are one more than the last.
            (.nanoseconds(Int64.max) + .nanoseconds(Int64.max - 997), .max),
            (.nanoseconds(Int64.max) + .nanoseconds(Int64.max - 1000), .max - 1),
            (.seconds(Int64.max), .max), (.seconds(Int64.min), 1000),
        ] as [(Duration, UInt64)])
    func moved(_ duration: Duration, to nanoseconds: UInt64) {
        let moment = MonotonicTime(nanoseconds: 1000).advanced(by: duration)
        #expect(moment.nanoseconds == nanoseconds)
        #expect(MonotonicTime.distantFuture.advanced(by: duration) == .distantFuture)
    }
}
