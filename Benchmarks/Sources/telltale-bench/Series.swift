import TelltaleSystem

/// Many measurements of the same thing, of which the middle and the spread are told.
struct Series {
    private var values: [Double] = []

    init() {}

    init(_ values: [Double]) { self.values = values }

    var count: Int { values.count }

    /// Half of the values lie below.
    var median: Double { quantile(0.5) }

    mutating func add(_ value: Double) { values.append(value) }

    /// Adds a length of time, in seconds.
    mutating func add(_ duration: Duration) { add(duration.seconds) }

    /// Every value divided by the same number.
    func divided(by divisor: Double) -> Series { Series(values.map { $0 / divisor }) }

    /// The value below which a part of all values lies, from 0 to 1, interpolated between
    /// neighbours. NaN for an empty series.
    func quantile(_ part: Double) -> Double {
        let sorted = values.sorted()
        guard let last = sorted.indices.last else { return .nan }
        let position = min(max(part, 0), 1) * Double(last)
        let below = Int(position)
        let above = min(below + 1, last)
        let weight = position - Double(below)
        return sorted[below] * (1 - weight) + sorted[above] * weight
    }
}

/// Returns the duration of `body`, by the clock that never stops.
func timed<Failure>(_ body: () throws(Failure) -> Void) throws(Failure) -> Duration {
    let start = ContinuousClock.now
    try body()
    return ContinuousClock.now - start
}
