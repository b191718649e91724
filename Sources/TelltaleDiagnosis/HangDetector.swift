#if TELLTALE_AGENT
/// Decides from the owners' heartbeats when one of them hangs.
///
/// The interval of its calls is its clock: while it is not called, since the process was stopped or
/// had no core, no owner could have answered either.
package struct HangDetector: Sendable {
    /// The action to take.
    package enum Action: Sendable, Equatable {
        case nothing
        /// An owner is half way to its threshold: worth a first picture, to which a second can be
        /// compared.
        case prepare
        /// These have hung, the first of them for so long. Several may have one name.
        case report([String], seconds: Double)
    }

    /// The identity of an owner: several queues may have one label.
    package enum Source: Hashable, Sendable {
        case queue(UInt)
        /// The owner of an object registered under an identifier.
        case registered(UInt64)
    }

    /// An owner.
    package struct Heartbeat: Sendable {
        package var source: Source
        /// The owner's name in a report.
        package var owner: String
        /// The heartbeat's number: a different number means that the one before was answered.
        package var beat: UInt64
        /// It has not been answered yet.
        package var isWaiting: Bool

        package init(source: Source, owner: String, beat: UInt64, isWaiting: Bool) {
            self.source = source
            self.owner = owner
            self.beat = beat
            self.isWaiting = isWaiting
        }
    }

    /// The least time between two reports.
    package static let leastInterval = 30.0

    let threshold: Double
    private let tick: Double
    private let interval: Double
    private var last: Duration?
    /// The time that was observed.
    private var active = 0.0
    private var waiting: [Source: (owner: String, beat: UInt64, since: Double)] = [:]
    /// The owners in the last report; there is no new report before all of them have made progress.
    private var held: Set<Source> = []
    private var reported: Double?
    private var isPrepared = false

    /// - Parameters:
    ///   - threshold: From when on an owner hangs, in seconds.
    ///   - tick: How far two calls lie apart as a rule, in seconds.
    ///   - interval: The least time between two reports, in seconds.
    package init(threshold: Double, tick: Double, interval: Double = HangDetector.leastInterval) {
        self.threshold = threshold
        self.tick = tick
        self.interval = interval
    }

    /// Judges the heartbeats.
    ///
    /// - Parameters:
    ///   - now: The moment, on a clock that never goes back.
    ///   - beats: Every owner's.
    /// - Returns: What is to be done.
    package mutating func judge(at now: Duration, _ beats: [Heartbeat]) -> Action {
        // A call that came late was no fault of the owners.
        if let last { active += min((now - last).inSeconds, tick * 2) }
        last = now
        let before = waiting
        waiting = [:]
        for beat in beats where beat.isWaiting {
            let known = before[beat.source]
            waiting[beat.source] = (
                owner: beat.owner, beat: beat.beat,
                since: known?.beat == beat.beat ? known?.since ?? active : active
            )
        }
        held = held.filter { waiting[$0] != nil }
        let longest = waiting.values.map { active - $0.since }.max() ?? 0
        if longest < threshold / 2 { isPrepared = false }
        guard held.isEmpty, reported.map({ active - $0 >= interval }) ?? true else {
            return .nothing
        }
        if longest >= threshold {
            let hanging = waiting.filter { active - $0.value.since >= threshold / 2 }
            held = Set(hanging.keys)
            reported = active
            isPrepared = false
            let owners = hanging.values.sorted {
                $0.since != $1.since ? $0.since < $1.since : $0.owner < $1.owner
            }.map(\.owner)
            return .report(owners, seconds: longest)
        }
        if longest >= threshold / 2, !isPrepared {
            isPrepared = true
            return .prepare
        }
        return .nothing
    }
}
#endif
