#if TELLTALE_AGENT
/// The samples that the agent keeps between commands, so that a slow growth is known at once.
///
/// Bounded: the newest replace the oldest. A series of ``mostFigures`` figures and one of
/// ``mostCounts`` counts of classes take less than 200 KiB.
package struct GrowthHistory: Sendable {
    /// The maximum number of samples of the process's figures: ten minutes at one in ten seconds.
    package static let mostFigures = 60
    /// The maximum number of counts of the heap: half an hour at one a minute.
    package static let mostCounts = 30
    /// The number of figures for each count of the heap.
    package static let figuresForEachCount = 6
    /// The maximum number of classes of a count: those with the most bytes.
    package static let mostClasses = 100
    /// The number of samples from which a growth is told: two minutes of figures, five of counts.
    private static let leastFigures = 12
    private static let leastCounts = 6

    /// A sample that takes less memory than a dictionary.
    private struct Kept: Sendable {
        var seconds: Double
        var amounts: [(subject: GrowthSample.Subject, amount: GrowthSample.Amount)]

        init(_ sample: GrowthSample, atMost most: Int) {
            seconds = sample.seconds
            amounts = sample.amounts.sorted {
                ($0.value.bytes ?? 0, $0.value.count) > ($1.value.bytes ?? 0, $1.value.count)
            }.prefix(most).map { ($0.key, $0.value) }
        }

        var sample: GrowthSample {
            var sample = GrowthSample(seconds: seconds)
            sample.amounts = Dictionary(amounts.map { ($0.subject, $0.amount) }) { first, _ in
                first
            }
            return sample
        }
    }

    private var figures: [Kept] = []
    private var counts: [Kept] = []

    package init() {}

    /// Adds the process's figures of a moment.
    package mutating func add(figures sample: GrowthSample) {
        if figures.count == Self.mostFigures { figures.removeFirst() }
        figures.append(Kept(sample, atMost: Self.mostClasses))
    }

    /// Adds a count of the heap by class.
    package mutating func add(count sample: GrowthSample) {
        if counts.count == Self.mostCounts { counts.removeFirst() }
        counts.append(Kept(sample, atMost: Self.mostClasses))
    }

    /// The number of figures and of counts.
    package var samples: (figures: Int, counts: Int) { (figures.count, counts.count) }

    /// The memory that the samples take, in bytes.
    package var bytes: Int {
        let amount = MemoryLayout<(GrowthSample.Subject, GrowthSample.Amount)>.stride
        return (figures + counts).reduce(0) {
            $0 + MemoryLayout<Kept>.stride + $1.amounts.capacity * amount
        }
    }

    /// Compares the samples, and those of now.
    ///
    /// - Parameters:
    ///   - figures: The process's figures now.
    ///   - count: A count of the heap now; `nil` if there is none.
    /// - Returns: The things that have grown until now.
    package func growths(
        until figures: GrowthSample, _ count: GrowthSample?
    ) -> [Growth] {
        let ofFigures = Growth.all(
            in: self.figures.map(\.sample) + [figures], least: Self.leastFigures)
        // A class is kept only once it is among the largest.
        let ofCounts = Growth.all(
            in: counts.map(\.sample) + (count.map { [$0] } ?? []), absence: .unknown,
            least: Self.leastCounts)
        guard !ofCounts.isEmpty else { return ofFigures }
        return ofCounts + ofFigures.filter { $0.subject != .residentMemory }
    }
}
#endif
