#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime

extension FireCommand: ForcingCommand {
    static let kind = "timer"
    static let list = "timers"
    static let part = DispatchLayout.Part.timers
    static let warning =
        "the handler runs before its time, and what it relies on may not have happened"

    /// A timer that fires by itself within this time, in seconds, is not brought forward.
    private static let soonest = 0.05

    static func facts(of address: UInt, _ reader: DispatchReader) -> TimerFacts? {
        reader.timer(at: address)
    }

    static func check(_ timer: TimerFacts, _ name: String) throws(CommandFailure) {
        let reason: String
        if timer.isCancelled {
            reason = "is cancelled"
        } else if timer.suspendCount > 0 {
            reason = "is suspended: only its own resume() lets it fire"
        } else if let seconds = timer.firesIn {
            guard seconds <= soonest else { return }
            reason = "fires by itself now"
        } else {
            reason = "is not set to any time"
        }
        throw CommandFailure(
            .conflict, "\(name) \(reason)", hint: "`timers --all` shows the state of each")
    }

    static func force(
        _ timer: ForcedObject<TimerFacts>
    ) throws(CommandFailure) -> (String, note: String) {
        guard timer.reader.fire(timer.address) else {
            throw CommandFailure(
                .unsupported, "its clock counts the time asleep too, which can't be set from here")
        }
        let left = Quantity.time(seconds: timer.facts.firesIn ?? 0)
        let interval = timer.facts.interval.map { Quantity.time(seconds: $0) }
        return (
            "fires now, instead of in \(left)",
            note: interval.map { "it goes on every \($0) from now, without leeway" }
                ?? "it doesn't fire again"
        )
    }
}
#endif
