import Testing

@testable import telltale_bench

struct ReportTests {
    @Test(
        "numbers have their unit and three digits or so",
        arguments: [
            (0.001_416, Measurement.Unit.seconds, "1.42 ms"), (0.000_000_015, .seconds, "15.0 ns"),
            (-0.4, .count, "0"), (12, .count, "12"), (123.4, .seconds, "123 s"),
            (48_200_000, .bytesPerSecond, "46.0 MiB/s"), (0.0351, .cpuSharePercent, "0.0351%"),
            (19.996, .perSecond, "20.00/s"), (.nan, .perSecond, "nan/s"),
        ])
    func numbersAreReadable(value: Double, unit: Measurement.Unit, text: String) {
        #expect(Report.text(value, unit) == text)
    }

    @Test("columns stand under each other, and what failed is said")
    func tableIsAligned() {
        var report = Report()
        report.measurements = [
            Measurement(
                name: "start", unit: .seconds, series: Series([0.003]),
                baseline: .init(name: "/bin/true", series: Series([0.001])), limit: 2)
        ]
        report.failures = [("idle", "no host")]
        #expect(
            report.lines == [
                "BENCHMARK  MEDIAN   P10      P90      N  RATIO   AGAINST            PROMISE",
                "start      3.00 ms  3.00 ms  3.00 ms  1  3.00 x  /bin/true 1.00 ms  "
                    + "limit 2.000  OVER THE LIMIT",
                "idle: not measured: no host",
            ])
        #expect(!report.isAllRight)
    }

    @Test("a host's shape survives its command line")
    func shapeSurvives() throws {
        var shape = HostShape(photos: 7, hasHeartbeat: false, registrations: 3, hasService: true)
        shape.tasks = 5000
        #expect(try Arguments([HostShape.option, "\(shape)"]).host == shape)
        #expect(throws: BenchmarkFailure.self) { try HostShape("12") }
        #expect(throws: BenchmarkFailure.self) { try HostShape("photos=-1") }
    }

    @Test("a wrong option is named")
    func wrongOptionIsNamed() {
        let failure = #expect(throws: BenchmarkFailure.self) { try Arguments(["--fast"]) }
        #expect(failure?.description == "unknown option '--fast'; --help lists them")
    }
}
