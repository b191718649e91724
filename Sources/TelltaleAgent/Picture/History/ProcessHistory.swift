#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// Samples of the process that the agent takes without being asked, so that `doctor` knows what has grown
/// in the last minutes.
///
/// A sample of the figures takes 0.1 ms, and a count of the heap at most ``longestCount`` of processor time, once
/// a minute.
final class ProcessHistory: Sendable {
    private struct State {
        var history = GrowthHistory()
        var isUnderWay = false
        /// The number of samples until the heap is counted again.
        var untilCount = GrowthHistory.figuresForEachCount
        /// The reason that the last count was not made, or not kept; `nil` if it was.
        var gap: String?
        /// The time since which each sample had no free descriptor; `nil` if the last one had.
        var fullSince: MonotonicTime?
        /// The deaf listener of each sample since a time; `nil` if the last one had none.
        var deaf: (listener: DeafListener, since: MonotonicTime)?
    }

    private static let longestCount = Duration.milliseconds(20)
    /// The factor by which that may take longer on a machine whose cores are busy.
    private static let slowness = 10
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

    /// Returns for how long each sample had no free descriptor, if none is free now.
    ///
    /// - Returns: The time, and the limit; `nil` if one is free, or was in the last sample.
    func timeWithoutDescriptors() -> (time: Duration, limit: DescriptorLimit)? {
        guard let since = state.withLock({ $0.fullSince }),
            let limit = DescriptorLimit.reached(with: Self.figures().openDescriptors)
        else { return nil }
        return (MonotonicTime.now.since(since), limit)
    }

    /// Returns for how long each sample had this deaf listener, if it is deaf now.
    ///
    /// - Parameter threads: Captures the threads.
    /// - Returns: The time, and the listener; `nil` if there is none.
    func timeOfDeafListener(
        _ threads: ThreadCapture
    ) -> (time: Duration, listener: DeafListener)? {
        guard let known = state.withLock({ $0.deaf }),
            let now = DeafListener.found(among: threads), now.file == known.listener.file
        else { return nil }
        return (MonotonicTime.now.since(known.since), now)
    }

    /// A summary for `info`.
    var text: String {
        let (history, gap) = state.withLock { ($0.history, $0.gap) }
        let samples = history.samples
        return Quantity.count(samples.figures, "sample", "samples") + ", "
            + Quantity.count(samples.counts, "count", "counts") + " of the heap"
            + (gap.map { " (not now: \($0))" } ?? "") + ", \(Quantity.bytes(UInt64(history.bytes)))"
    }

    /// Returns true if the caller should take a sample, since none is running.
    fileprivate func begin() -> Bool {
        state.withLock { state in
            defer { state.isUnderWay = true }
            return !state.isUnderWay
        }
    }

    fileprivate func take(_ threads: ThreadCapture) {
        let figures = Self.figures()
        let deaf = DeafListener.found(among: threads)
        let isFull = DescriptorLimit.reached(with: figures.openDescriptors) != nil
        let isCounting = state.withLock { state in
            state.history.add(figures: figures)
            state.fullSince = isFull ? state.fullSince ?? .now : nil
            state.deaf = deaf.map { deaf in
                let isSame = state.deaf?.listener.file == deaf.file
                return (deaf, isSame ? state.deaf?.since ?? .now : .now)
            }
            state.untilCount -= 1
            return state.untilCount <= 0
        }
        let count = isCounting ? Self.count() : nil
        state.withLock { state in
            state.isUnderWay = false
            let pause = GrowthHistory.figuresForEachCount
            switch count {
            case .success(let count)?:
                state.history.add(count: count)
                state.gap = nil
                state.untilCount = pause
            case .failure(let failure)?:
                state.gap = failure.message
                state.untilCount = pause * Self.leftOut
            case nil: break
            }
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

    /// Counts the heap, unless that takes too long. A filter that the service has installed may end the process at
    /// a call that wasn't asked for.
    private static func count() -> Result<GrowthSample, CommandFailure> {
        Result { () throws(CommandFailure) in
            guard !SeccompFilters.haveGrown else {
                throw CommandFailure(.unsupported, "the service has installed a seccomp filter")
            }
            let began = ProcessClocks.threadTime
            let census = try HeapCensus.counted(until: .now.advanced(by: longestCount * slowness))
            let took = ProcessClocks.threadTime &- began
            if census.gaps.first != nil || took > UInt64(longestCount.microseconds) * 1000 {
                throw CommandFailure(
                    .bound, "a count takes over \(Quantity.time(longestCount))")
            }
            var sample = GrowthSample(seconds: MonotonicTime.now.sinceStart.inSeconds)
            sample.add(census)
            return sample
        }
    }
}

/// The limit of the process's descriptors, and how many of them are open.
struct DescriptorLimit {
    /// The number of free descriptors up to which a service is at its limit: the agent holds some in reserve.
    private static let spare = 3

    let open: Int
    let limit: Int

    /// Returns the limit, if so many open descriptors reach it.
    static func reached(with open: Int) -> DescriptorLimit? {
        guard open > 0, let limit = ProcessFiles.own.limit(.descriptors)?.soft,
            UInt64(clamping: open) + UInt64(spare) >= limit
        else { return nil }
        return DescriptorLimit(open: open, limit: Int(clamping: limit))
    }
}

extension GrowthSample {
    /// The number of open descriptors of all kinds.
    fileprivate var openDescriptors: Int {
        amounts.reduce(0) { sum, amount in
            if case .descriptors = amount.key { sum + amount.value.count } else { sum }
        }
    }

    /// Adds the objects of each class.
    mutating func add(_ census: HeapCensus) {
        for row in census.rows { amounts[.heap(row.word)] = .init(row.count, bytes: row.bytes) }
    }
}

extension Agent {
    /// Takes a sample of the process for the history, on a worker.
    func sampleHistory() {
        guard MemoryRoom.isEnough, shared.history.begin() else { return }
        workers.submit { [shared] in shared.history.take(shared.threads) }
    }
}
#endif
