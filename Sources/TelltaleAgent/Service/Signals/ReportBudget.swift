#if TELLTALE_AGENT
import TelltaleSystem

/// How many reports of pauses are written, and what the others come to.
///
/// A service that is stopped and continued all day, by `cpulimit` or a backup's script, must not drown
/// its own log in what the agent says of it.
struct ReportBudget: Sendable {
    /// Pauses that were not reported one by one.
    struct Merged: Sendable, Equatable {
        var count = 0
        var atLeast = Duration.zero
        var atMost = Duration.zero
    }

    /// How many are written in a row.
    static let most = 20
    /// After how long there may be one more.
    static let interval = Duration.seconds(30)

    private var left = ReportBudget.most
    private var since: MonotonicTime
    private var merged = Merged()

    init(now: MonotonicTime) { since = now }

    /// Whether a pause is to be reported now; it is added to the others where not.
    mutating func takes(_ pause: PauseDetector.Pause?, now: MonotonicTime) -> Bool {
        refill(now)
        // What was merged is told first.
        if left > 0, merged.count == 0 {
            left -= 1
            return true
        }
        merged.count += 1
        merged.atLeast += pause?.atLeast ?? .zero
        merged.atMost += pause?.atMost ?? .zero
        return false
    }

    /// What is to be said of the others now; nil for nothing.
    mutating func takesMerged(now: MonotonicTime) -> Merged? {
        guard merged.count > 0 else { return nil }
        refill(now)
        guard left > 0 else { return nil }
        left -= 1
        defer { merged = Merged() }
        return merged
    }

    private mutating func refill(_ now: MonotonicTime) {
        while left < Self.most, since.advanced(by: Self.interval) <= now {
            left += 1
            since = since.advanced(by: Self.interval)
        }
        // The next interval begins with the first that is written.
        if left == Self.most { since = now }
    }
}
#endif
