#if TELLTALE_AGENT
import TelltaleSystem

/// Decides from the owners' heartbeats when one of them hangs. Pure.
///
/// Its own looks are its clock: what it couldn't look at, since the process was stopped or had no
/// core, is no time in which an owner could have answered.
struct HangDetector: Sendable {
    /// What is to be done.
    enum Action: Sendable, Equatable {
        case nothing
        /// Somebody is half way: worth a first look, to which a second can be compared.
        case prepare
        /// These have hung for so long.
        case report([String], seconds: Double)
    }

    /// One owner at a look.
    struct Heartbeat: Sendable {
        var owner: String
        /// Which one it is: another number says that the one before was answered.
        var beat: UInt64
        /// It has not been answered yet.
        var isWaiting: Bool
    }

    /// The least time between two reports.
    static let leastInterval = 30.0

    let patience: Double
    private let tick: Double
    private let interval: Double
    private var last: MonotonicTime?
    /// The time that was looked at.
    private var active = 0.0
    private var waiting: [String: (beat: UInt64, since: Double)] = [:]
    /// Whom the last report named; nobody is reported before one of them has gone on.
    private var held: Set<String> = []
    private var reported: Double?
    private var isPrepared = false

    /// - Parameters:
    ///   - patience: From when on an owner hangs, in seconds.
    ///   - tick: How far two looks lie apart as a rule, in seconds.
    ///   - interval: The least time between two reports, in seconds.
    init(patience: Double, tick: Double, interval: Double = HangDetector.leastInterval) {
        self.patience = patience
        self.tick = tick
        self.interval = interval
    }

    /// Looks at the heartbeats.
    mutating func look(_ now: MonotonicTime, _ beats: [Heartbeat]) -> Action {
        // A look that came late was no fault of the owners.
        if let last { active += min(now.since(last).seconds, tick * 2) }
        last = now
        var still: [String: (beat: UInt64, since: Double)] = [:]
        for beat in beats where beat.isWaiting {
            let known = waiting[beat.owner]
            still[beat.owner] =
                known?.beat == beat.beat ? known : (beat: beat.beat, since: active)
        }
        waiting = still
        held = held.filter { waiting[$0] != nil }
        let ages = waiting.mapValues { active - $0.since }
        let longest = ages.values.max() ?? 0
        if longest < patience / 2 { isPrepared = false }
        guard held.isEmpty, reported.map({ active - $0 >= interval }) ?? true else {
            return .nothing
        }
        if longest >= patience {
            let owners = ages.filter { $0.value >= patience / 2 }.sorted {
                $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key
            }.map(\.key)
            held = Set(owners)
            reported = active
            isPrepared = false
            return .report(owners, seconds: longest)
        }
        if longest >= patience / 2, !isPrepared {
            isPrepared = true
            return .prepare
        }
        return .nothing
    }
}
#endif
