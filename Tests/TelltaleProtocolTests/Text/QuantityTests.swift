import Testing

@testable import TelltaleProtocol

@Suite("Numbers as people read them")
struct QuantityTests {
    @Test(
        "counts have their thousands apart",
        arguments: [
            (0, "0"), (999, "999"), (1_000, "1,000"), (9_988, "9,988"), (123_456, "123,456"),
            (-1_234_567, "-1,234,567"), (Int.min, "-9,223,372,036,854,775,808"),
        ])
    func counts(value: Int, text: String) { #expect(Quantity.count(value) == text) }

    @Test(
        "sizes have one unit",
        arguments: [
            (0, "0B"), (1_023, "1023B"), (1_024, "1K"), (1_536, "1.5K"), (88_080_384, "84M"),
            (1_503_238_553, "1.3G"), (UInt64.max, "16777215T"),
        ])
    func bytes(value: UInt64, text: String) { #expect(Quantity.bytes(value) == text) }

    @Test(
        "uptimes have two units at most, and no number is too odd",
        arguments: [
            (0.0, "0s"), (45.9, "45s"), (192, "3m12s"), (11_520, "3h12m"), (172_800, "2d"),
            (187_200, "2d4h"), (-1, "0s"), (.nan, "0s"), (.infinity, "11574074074d1h"),
        ])
    func uptimes(value: Double, text: String) { #expect(Quantity.uptime(value) == text) }

    @Test(
        "durations have the unit that suits them",
        arguments: [
            (0, "0 µs"), (180, "180 µs"), (1_250, "1.2 ms"), (9_999, "9.9 ms"),
            (10_000, "10 ms"), (340_000, "340 ms"), (999_999, "999 ms"), (1_000_000, "1.0 s"),
            (12_400_000, "12.4 s"), (-5, "-5 µs"),
        ])
    func durations(value: Int, text: String) {
        #expect(Quantity.duration(microseconds: value) == text)
    }

    @Test("seconds are said to a tenth")
    func seconds() {
        #expect(Quantity.seconds(0) == "0s")
        #expect(Quantity.seconds(12.46) == "12.4s")
    }
}
