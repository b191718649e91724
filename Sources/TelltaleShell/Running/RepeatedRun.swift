import TelltaleClient
package import TelltaleProtocol
import TelltaleSystem

/// The receiver of data that precedes an answer; `nil` for none.
package struct AnswerSink {
    /// Lines for people.
    package var lines: (([String]) -> Void)?
    /// Documents for programs, instead of these.
    package var documents: ((JSONValue) -> Void)?
    /// A terminal that is redrawn.
    package var screen: ((TerminalText) -> Void)?
}

/// Sends a command repeatedly, and shows the changes.
struct RepeatedRun {
    let request: Request
    let repetition: Repetition
    let limit: Duration?
    /// A descriptor that ends it as soon as it can be read.
    let interrupt: Int32?
    let style: TextStyle

    /// Looks as often as was asked for. The sink gets the changes as they come; without one they are the
    /// answer at the end, so that there has to be one.
    func run(on connection: AgentConnection, to sink: AnswerSink) throws(CommandFailure)
        -> CommandOutcome
    {
        let isShown = sink.lines != nil || sink.documents != nil
        guard isShown || repetition.count != nil else {
            throw CommandFailure(
                .usage, "it has no end here, where its answer is given at the end",
                hint: "--count N says how many times it is looked at")
        }
        if let command = repetition.command {
            return try watch(command, on: connection, to: sink)
        }
        var log = WatchLog()
        try look(request, on: connection, isShown: isShown) { answer in
            guard let values = (answer as? ControlAnswer)?.values else { return false }
            let lines = log.add(values, at: WallClock.nanoseconds, style)
            guard !lines.isEmpty else { return true }
            if let documents = sink.documents {
                documents(Presentation.document(log.takeChanges()))
            } else {
                sink.lines?(lines)
            }
            return true
        }
        return isShown ? .shown : .answer(log.answer)
    }

    /// Shows a command's answer whenever it has changed; on a terminal always at the same place.
    private func watch(
        _ line: String, on connection: AgentConnection, to sink: AnswerSink
    ) throws(CommandFailure) -> CommandOutcome {
        guard let asked = try CommandLineParser.parse(line) else { return .shown }
        var screen = WatchScreen(line: line, every: repetition.every)
        var last: JSONValue?
        var answers: [any CommandAnswer] = []
        try look(asked, on: connection, isShown: sink.lines != nil || sink.documents != nil) {
            answer in
            if let draw = sink.screen, sink.documents == nil {
                draw(screen.text(of: answer, style))
                return true
            }
            // An answer that differs only in the time it took is not a change.
            let document = Presentation.document(answer)
            guard document != last else { return true }
            last = document
            if let documents = sink.documents {
                documents(document)
            } else if let lines = sink.lines {
                lines([screen.heading] + answer.lines(style))
            }
            answers = [answer]
            return true
        }
        let isShown = sink.lines != nil || sink.documents != nil || sink.screen != nil
        return isShown ? .shown : answers.last.map { .answer($0) } ?? .shown
    }

    /// Asks until `show` has enough, as often as was wanted, or until the interrupt.
    private func look(
        _ request: Request, on connection: AgentConnection, isShown: Bool,
        show: (any CommandAnswer) -> Bool
    ) throws(CommandFailure) {
        var next = MonotonicTime.now
        var looks = 0
        var request = request
        while true {
            let answer: any CommandAnswer
            do throws(CommandFailure) {
                answer = try connection.answer(to: request, limit: limit, interrupt: interrupt)
            } catch {
                guard error.isInterruption, isShown else { throw error }
                return
            }
            looks += 1
            if repetition.command == nil, let later = repetition.later {
                request.parameters = later
            }
            guard show(answer), repetition.count.map({ looks < $0 }) ?? true else { return }
            // A look that took longer is not made up for.
            next = max(next.advanced(by: repetition.every), .now)
            guard wait(until: next) else { return }
        }
    }

    /// Returns whether the wait ended without an interrupt.
    private func wait(until moment: MonotonicTime) -> Bool {
        DescriptorWait.wait(for: -1, interrupt: interrupt, until: moment) != .interrupted
    }
}
