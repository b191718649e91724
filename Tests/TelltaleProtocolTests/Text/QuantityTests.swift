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
            (0, "0B", "0 B"), (1_023, "1023B", "1023 B"), (1_024, "1K", "1 KiB"),
            (1_536, "1.5K", "1.5 KiB"), (88_080_384, "84M", "84 MiB"),
            (1_503_238_553, "1.3G", "1.3 GiB"), (UInt64.max, "16777215T", "16777215 TiB"),
        ])
    func bytes(value: UInt64, field: String, sentence: String) {
        #expect(Quantity.bytes(value, .field) == field)
        #expect(Quantity.bytes(value) == sentence)
    }

    @Test(
        "uptimes have two units at most, and no number is too odd",
        arguments: [
            (0.0, "0s"), (45.9, "45s"), (192, "3m12s"), (11_520, "3h12m"), (172_800, "2d"),
            (187_200, "2d4h"), (-1, "0s"), (.nan, "0s"), (.infinity, "11574074074d1h"),
        ])
    func uptimes(value: Double, text: String) { #expect(Quantity.uptime(value) == text) }

    @Test(
        "times have the unit that suits them, and are never said longer than they were",
        arguments: [
            (0, "0 s"), (180, "180 µs"), (1_250, "1.2 ms"), (9_999, "9.9 ms"), (5_000, "5 ms"),
            (10_000, "10 ms"), (340_900, "340 ms"), (999_999, "999 ms"), (1_000_000, "1 s"),
            (1_000_001, "1.0 s"), (12_460_000, "12.4 s"), (59_999_999, "59.9 s"),
            (60_000_000, "1m"), (192_000_000, "3m12s"), (-5, "0 s"),
            (Int.max, "106751991d4h"),
        ])
    func times(microseconds: Int, text: String) {
        #expect(Quantity.time(microseconds: microseconds) == text)
        #expect(Quantity.time(.microseconds(microseconds)) == text)
        let field = String(text.filter { $0 != " " })
        #expect(Quantity.time(microseconds: microseconds, .field) == field)
    }

    @Test(
        "times that come as numbers are cut to what they say in decimal, of whatever size",
        arguments: [
            (0.0, "0 s"), (1.2, "1.2 s"), (0.3, "300 ms"), (0.0005, "500 µs"), (12.46, "12.4 s"),
            (-1, "0 s"), (.nan, "0 s"), (1e300, "11574d1h"),
        ])
    func seconds(value: Double, text: String) { #expect(Quantity.time(seconds: value) == text) }

    @Test("the longest duration of all has a text")
    func longest() {
        let most = Duration(secondsComponent: .max, attosecondsComponent: 0)
        #expect(Quantity.time(most) == "106751991d4h")
    }

    @Test("a time that is known from both sides is cut below and rounded up above")
    func bothSides() {
        #expect(
            Quantity.times(.microseconds(1_234_900), .microseconds(1_719_100)) == "1.234 to 1.720 s"
        )
        #expect(Quantity.times(.zero, .milliseconds(500)) == "0.000 to 0.500 s")
    }

    @Test(
        "a moment is written in UTC with milliseconds",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
            (1_077_926_399_999_999_999, "2004-02-27T23:59:59.999Z"),
            (1_795_230_765_118_999_999, "2026-11-21T03:12:45.118Z"),
            (4_107_542_400_000_000_000, "2100-03-01T00:00:00.000Z"),
            (UInt64.max, "2554-07-21T23:34:33.709Z"),
        ])
    func moments(nanoseconds: UInt64, text: String) {
        #expect(Quantity.moment(nanoseconds: nanoseconds) == text)
    }

    @Test(
        "decimals are rounded, and no number is too odd",
        arguments: [
            (0.0, 0, "0"), (2.345, 2, "2.35"), (-0.4, 0, "0"), (-1.25, 1, "-1.3"),
            (0.05, 3, "0.050"),
            (.nan, 2, "nan"), (1e300, 1, "1e+300"),
        ])
    func decimals(value: Double, places: Int, text: String) {
        #expect(Quantity.decimal(value, places: places) == text)
    }

    @Test("figures that are compared have three digits")
    func measured() {
        #expect(Quantity.measured(seconds: 0.001_416) == "1.42 ms")
        #expect(Quantity.measured(seconds: 0.000_000_264) == "264 ns")
        #expect(Quantity.measured(seconds: 12.34) == "12.3 s")
        #expect(Quantity.measured(bytes: 48_200_000) == "46.0 MiB")
    }

    @Test("a part and an address")
    func others() {
        #expect(Quantity.percent(0.025) == "2.5%")
        #expect(Quantity.address(0x7f3a10) == "0x7f3a10")
    }
}
