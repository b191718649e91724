import Testing

@testable import telltale_bench

struct SeriesTests {
    @Test("half of the values lie below the median, whatever their order")
    func medianIsTheMiddle() {
        #expect(Series([5, 1, 3]).median == 3)
        #expect(Series([4, 1, 3, 2]).median == 2.5)
        #expect(Series([7]).median == 7)
        #expect(Series().median.isNaN)
    }

    @Test("a quantile lies between its neighbours")
    func quantilesAreInterpolated() {
        let series = Series((0...10).map(Double.init))
        #expect(series.quantile(0) == 0)
        #expect(series.quantile(0.25) == 2.5)
        #expect(series.quantile(0.9) == 9)
        #expect(series.quantile(1) == 10)
        #expect(series.quantile(7) == 10)
    }

    @Test("a ratio is of medians, and over its limit when it is larger")
    func ratioIsOfMedians() {
        var measurement = Measurement(
            name: "a", unit: .seconds, series: Series([3, 30, 2]),
            baseline: .init(name: "b", series: Series([2, 1, 9])), limit: 1.5)
        #expect(measurement.ratio == 1.5)
        #expect(!measurement.isOverLimit)
        measurement.limit = 1.4
        #expect(measurement.isOverLimit)
        measurement.baseline?.series = Series([0])
        #expect(measurement.ratio == nil)
        #expect(!measurement.isOverLimit)
    }

    @Test("a bound on the tail is one on what nineteen of twenty take")
    func tailIsBounded() {
        var measurement = Measurement(name: "a", series: Series((1...20).map { Double($0) }))
        measurement.tailBound = 19.1
        #expect(!measurement.isOverLimit)
        measurement.series.add(100)
        #expect(measurement.isOverLimit)
    }
}
