/// The result of a benchmark: a series, with its baseline and its bound.
struct Measurement {
    enum Unit: String {
        case seconds
        case count
        case bytes
        case bytesPerSecond = "bytes/s"
        case cpuSharePercent = "percent of a processor"
        case perSecond = "per second"
    }

    /// The same work without us, or what the toolchain offers for it.
    struct Baseline {
        /// The name: `/bin/true`, `Mirror`.
        var name: String
        /// Measured in the same run, turn by turn.
        var series: Series
    }

    /// The name of the measurement: `client.start`.
    var name: String
    var unit = Unit.seconds
    var series: Series
    var baseline: Baseline?
    /// The largest ratio that is all right, where one was promised.
    var limit: Double?
    /// The largest median that is all right, in the unit, where one was promised.
    var bound: Double?
    /// The largest value that is all right for nineteen of twenty, in the unit, where one was promised.
    var tailBound: Double?

    /// Nineteen of twenty values lie below.
    var tail: Double { series.quantile(0.95) }

    /// The ratio to the baseline; above 1 is slower, or for a throughput faster.
    var ratio: Double? {
        guard let baseline, baseline.series.median > 0 else { return nil }
        return series.median / baseline.series.median
    }

    /// Indicates that a promise was broken.
    var isOverLimit: Bool {
        if let bound, series.median > bound { return true }
        if let tailBound, tail > tailBound { return true }
        guard let ratio, let limit else { return false }
        return ratio > limit
    }
}
