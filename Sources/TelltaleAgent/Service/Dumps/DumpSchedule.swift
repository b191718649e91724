#if TELLTALE_AGENT
import TelltaleSystem

/// Decides when a dump that signals ask for is made: one at a time, with a least interval, and what
/// comes in between merged into the next. Pure; its user does what it says.
struct DumpSchedule: Sendable {
    /// What is to be done.
    enum Action: Sendable, Equatable {
        case nothing
        /// Make one dump for `merged` further signals besides the one that `by` sent.
        case make(by: SignalTrap.Delivery, merged: Int)
        /// Look again at this moment.
        case wait(until: MonotonicTime)
    }

    private let interval: Duration
    private var waiting: (by: SignalTrap.Delivery, merged: Int)?
    private var lastEnd: MonotonicTime?
    private var isMaking = false

    init(interval: Duration) { self.interval = interval }

    /// Takes a signal in.
    mutating func add(_ delivery: SignalTrap.Delivery) {
        // The last sender is the one who waits for an answer; one who is not known hides none.
        let isKnown = delivery.code != SignalTrap.unknownSender
        waiting = (
            isKnown ? delivery : waiting?.by ?? delivery,
            (waiting?.merged ?? -1) + delivery.count
        )
    }

    /// What is to be done now.
    mutating func next(now: MonotonicTime) -> Action {
        guard !isMaking, let due = waiting else { return .nothing }
        if let lastEnd {
            let moment = lastEnd.advanced(by: interval)
            if now < moment { return .wait(until: moment) }
        }
        waiting = nil
        isMaking = true
        return .make(by: due.by, merged: due.merged)
    }

    /// Ends what ``next(now:)`` began.
    mutating func made(now: MonotonicTime) {
        isMaking = false
        lastEnd = now
    }
}
#endif
