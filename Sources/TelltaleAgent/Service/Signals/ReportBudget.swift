#if TELLTALE_AGENT
import TelltaleSystem

/// A token bucket for the reports of pauses; it sums up the pauses beyond it.
///
/// A service that is stopped and continued all day, by `cpulimit` or a backup script, must not be flooded
/// with the agent's lines in its own log.
struct ReportBudget: Sendable {
    /// The pauses that were not reported one by one.
    struct Merged: Sendable, Equatable {
        var count = 0
        var atLeast = Duration.zero
        var atMost = Duration.zero
    }

    /// The maximum number of reports in a row.
    static let most = 20
    /// The time after which one more report is allowed.
    static let interval = Duration.seconds(30)

    private var left = ReportBudget.most
    private var since: MonotonicTime
    private var merged = Merged()

    init(now: MonotonicTime) { since = now }

    /// Returns true if a pause should be reported now; otherwise adds it to the merged pauses.
    mutating func takes(_ pause: PauseDetector.Pause?, now: MonotonicTime) -> Bool {
        refill(now)
        // Merged pauses are reported first.
        if left > 0, merged.count == 0 {
            left -= 1
            return true
        }
        merged.count += 1
        merged.atLeast += pause?.atLeast ?? .zero
        merged.atMost += pause?.atMost ?? .zero
        return false
    }

    /// The merged pauses, if they should be reported now; nil otherwise.
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
        // The next interval begins with the first report.
        if left == Self.most { since = now }
    }
}
#endif
