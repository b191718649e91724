#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// Samples of the process that the agent takes without being asked, so that `doctor` knows what has grown
/// in the last minutes.
///
/// A sample of the figures takes 0.1 ms, and a count of the heap at most ``longestCount``, once a minute.
final class ProcessHistory: Sendable {
    private struct State {
        var history = GrowthHistory()
        var isUnderWay = false
        /// The number of samples until the heap is counted again.
        var untilCount = GrowthHistory.figuresForEachCount
        /// Set once a count took too long, until one doesn't.
        var isHeapTooLarge = false
    }

    private static let longestCount = Duration.milliseconds(20)
    /// The number of counts that are left out after one that took too long.
    private static let leftOut = 10
    /// The maximum number of descriptors whose kind is read: 1.2 us each.
    private static let mostDescriptors = 4096

    private let state = Locked(State())

    /// Compares the samples with the figures of now.
    ///
    /// - Parameter count: A count of the heap that was made just now; `nil` if there is none.
    /// - Returns: The growths until now.
    func growths(_ count: GrowthSample?) -> [Growth] {
        let history = state.withLock { $0.history }
        guard history.samples.figures > 0 else { return [] }
        return history.growths(until: Self.figures(), count)
    }

    /// A summary for `info`.
    var text: String {
        let (history, isTooLarge) = state.withLock { ($0.history, $0.isHeapTooLarge) }
        let samples = history.samples
        return Quantity.count(samples.figures, "sample", "samples") + ", "
            + Quantity.count(samples.counts, "count", "counts") + " of the heap"
            + (isTooLarge
                ? " (one takes over \(Quantity.time(Self.longestCount)), so it is tried seldom)"
                : "")
            + ", \(Quantity.bytes(UInt64(history.bytes)))"
    }

    /// Returns true if the caller should take a sample, since none is running.
    fileprivate func begin() -> Bool {
        state.withLock { state in
            defer { state.isUnderWay = true }
            return !state.isUnderWay
        }
    }

    fileprivate func take() {
        let figures = Self.figures()
        let isCounting = state.withLock { state in
            state.history.add(figures: figures)
            state.untilCount -= 1
            return state.untilCount <= 0
        }
        let count = isCounting ? Self.count() : nil
        state.withLock { state in
            state.isUnderWay = false
            guard isCounting else { return }
            if let count { state.history.add(count: count) }
            state.isHeapTooLarge = count == nil
            let pause = GrowthHistory.figuresForEachCount
            state.untilCount = count == nil ? pause * Self.leftOut : pause
        }
    }

    /// The threads, the resident memory and the descriptors of this moment.
    static func figures() -> GrowthSample {
        var sample = GrowthSample(seconds: MonotonicTime.now.sinceStart.inSeconds)
        if let stat = ProcessFiles.own.stat {
            sample.add(.threads, Int(clamping: stat.threads))
            let resident = stat.residentPages * ProcessFiles.pageSize
            sample.add(.residentMemory, Int(clamping: resident >> 20))
        }
        guard !SeccompFilters.haveGrown else { return sample }
        let kinds = DescriptorReserve.shared.makingRoom(for: 1) {
            OpenDescriptors.kinds(limit: mostDescriptors)
        }
        for (kind, count) in kinds { sample.add(.descriptors(kind), count) }
        return sample
    }

    /// Returns `nil` if a count is not possible, or takes too long. A filter that the service has installed may
    /// end the process at a call that it didn't ask for.
    private static func count() -> GrowthSample? {
        guard !SeccompFilters.haveGrown else { return nil }
        let deadline = MonotonicTime.now.advanced(by: longestCount)
        guard let census = try? HeapCensus.counted(until: deadline), census.gaps.isEmpty else {
            return nil
        }
        var sample = GrowthSample(seconds: MonotonicTime.now.sinceStart.inSeconds)
        sample.add(census)
        return sample
    }
}

extension GrowthSample {
    /// Adds the objects of each class.
    mutating func add(_ census: HeapCensus) {
        for row in census.rows { amounts[.heap(row.word)] = .init(row.count, bytes: row.bytes) }
    }
}

extension Agent {
    /// Takes a sample of the process for the history, on a worker.
    func sampleHistory() {
        guard MemoryRoom.isEnough, shared.history.begin() else { return }
        workers.submit { [shared] in shared.history.take() }
    }
}
#endif
