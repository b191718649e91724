import TelltaleClient
import TelltaleProtocol
import TelltaleSystem

/// Asks a command again and again, and shows what has changed.
struct RepeatedRun {
    let request: Request
    let repetition: Repetition
    let limit: Duration?
    /// A descriptor that ends it as soon as it can be read.
    let interrupt: Int32?
    let style: TextStyle

    /// Looks as often as was asked for. `onLines` gets the changes as they come; without it they are the
    /// answer at the end, so that there has to be one.
    func run(
        on connection: AgentConnection, onLines: (([String]) -> Void)?
    ) throws(CommandFailure) -> CommandOutcome {
        guard onLines != nil || repetition.count != nil else {
            throw CommandFailure(
                .usage, "it has no end here, where its answer is given at the end",
                hint: "--count N says how many times it is looked at")
        }
        var log = WatchLog()
        var next = MonotonicTime.now
        while true {
            let answer: any CommandAnswer
            do throws(CommandFailure) {
                answer = try connection.answer(to: request, limit: limit, interrupt: interrupt)
            } catch {
                guard error.isInterruption, onLines != nil else { throw error }
                break
            }
            guard let values = (answer as? ControlAnswer)?.values else { return .answer(answer) }
            let lines = log.add(values, at: WallClock.nanoseconds, style)
            if !lines.isEmpty { onLines?(lines) }
            if let count = repetition.count, log.answer.looks >= count { break }
            // A look that took longer is not made up for.
            next = max(next.advanced(by: repetition.every), .now)
            guard wait(until: next) else { break }
        }
        return onLines == nil ? .answer(log.answer) : .shown
    }

    /// Whether nobody wants it to end.
    private func wait(until moment: MonotonicTime) -> Bool {
        DescriptorWait.wait(for: -1, interrupt: interrupt, until: moment) != .interrupted
    }
}
