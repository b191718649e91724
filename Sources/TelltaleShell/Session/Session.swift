package import TelltaleClient
package import TelltaleProtocol
import TelltaleSystem

/// A session at the terminal: a prompt, a command, its answer, until `quit` or Ctrl-D.
package final class Session {
    /// The maximum number of lines in the history.
    package static let historyBound = 1000

    package typealias Reconnect = () -> Result<AgentConnection, CommandFailure>

    let editor: any LineEditor
    let output: any ShellOutput
    private var presentation: Presentation
    private(set) var runner: CommandRunner
    private let pager: Pager?
    let history: HistoryFile?
    let link: AgentLink
    var words = SessionWords()
    let startFile: String?
    /// The line of that file that runs.
    var startLine: String?
    /// Indicates that the first screen gives an overview.
    let isGreeting: Bool
    var isHistorySaid = false
    var lastRemembered: String?
    /// Indicates that the agent marked a command of the line as holding a secret, or did not answer one that
    /// brings a value.
    private var bringsSecret = false
    /// The confirmed commands: each is confirmed by itself.
    private var confirmed: Set<String> = []
    /// True from `begin` to `commit` or `rollback`.
    var hasTransaction = false

    /// `limit`, `pager` and `history` are nil for the usual bounds, for none, and for nowhere; `startFile` has
    /// the lines that come before the first prompt.
    package init(
        connection: AgentConnection, editor: any LineEditor, output: any ShellOutput,
        presentation: Presentation, limit: Duration?, pager: Pager?, history: HistoryFile?,
        startFile: String? = nil, isGreeting: Bool = false, reconnect: @escaping Reconnect
    ) {
        self.startFile = startFile
        self.isGreeting = isGreeting
        self.editor = editor
        self.output = output
        self.presentation = presentation
        self.pager = pager
        self.history = history
        runner = CommandRunner(
            limit: limit, interrupt: editor.interrupt,
            progress: ProgressLine.onTerminal(output), style: presentation.style)
        link = AgentLink(
            connection, timeout: limit ?? Discovery.timeout, reconnect: reconnect)
    }

    /// Runs the session. The exit status is 0, unless the answers can't be written any more.
    package func run() -> Int32 {
        loadHistory()
        if isGreeting { greet() }
        runStartFile()
        let completer = Completer(link: link) { [weak self] in self?.words.names ?? [] }
        editor.completer = { completer.complete($0, size: TerminalFacts.size(of: 1)) }
        defer { editor.completer = nil }
        while true {
            switch editor.read(prompt: prompt) {
            case .end:
                // The shell's prompt is to begin a line of its own.
                try? output.write(TerminalText(own: "\n"))
                sayDiscarded()
                return 0
            case .interrupted: continue
            case .line(let first):
                guard let line = whole(first) else { continue }
                presentation.followTerminal()
                runner.style = presentation.style
                do throws(SystemError) {
                    guard try run(line) else {
                        sayDiscarded()
                        return 0
                    }
                } catch {
                    output.warn("the answer could not be written: \(error)")
                    return 1
                }
            }
        }
    }

    /// `photo-manager(4242)> `, with a mark if nothing can be changed or the agent is gone, and its
    /// user if that is another user.
    private var prompt: String {
        let hello = link.hello
        var marks = ["\(link.pid)"]
        if hello.mode == "read-only" { marks.append("read-only") }
        if link.isLost { marks.append("lost") }
        let user = link.otherUser.map { "\($0.escaped)/" } ?? ""
        return user + "\(hello.name.escaped)(\(marks.joined(separator: ", ")))> "
    }

    /// - Returns: false for `quit`.
    func run(_ typed: String, isKept: Bool = true) throws(SystemError) -> Bool {
        let parts: [SessionLine.Part]
        var remembered: String?
        do throws(CommandFailure) {
            let line = try words.recalled(typed)
            if line != typed { output.writeError(TerminalText(lines: [line])) }
            let commands = SessionLine(line).parts.flatMap(expanded)
            parts =
                SwiftLine.isSwift(line, commands)
                ? [SessionLine.Part(command: "eval \(line)")] : commands
            if isKept, !parts.isEmpty { remembered = remember(line, parts) }
        } catch {
            try say(error)
            return true
        }
        bringsSecret = false
        // A line of the file is one of the history.
        defer {
            if let remembered, !bringsSecret, !remembered.contains("\n") { store(remembered) }
        }
        let usual = presentation
        defer { presentation = usual }
        for part in parts {
            presentation = usual
            do throws(CommandFailure) {
                guard try run(part) else { return false }
            } catch {
                try say(part.explained(error))
                return true
            }
        }
        return true
    }

    private func expanded(_ part: SessionLine.Part) -> [SessionLine.Part] {
        let line = words.expanded(part.command)
        guard line != part.command else { return [part] }
        var parts = SessionLine(line).parts
        if let destination = part.destination, !parts.isEmpty {
            parts[parts.count - 1].destination = destination
        }
        return parts
    }

    /// - Returns: false for `quit`.
    private func run(_ part: SessionLine.Part) throws(CommandFailure) -> Bool {
        if let answer = try words.answer(part.command) {
            try show(answer, part.destination)
            return true
        }
        var part = part
        presentation = presentation.asked(part.takeJSON())
        guard let request = try presentation.request(part.command) else { return true }
        if request.command.description.endsSession { return false }
        if let interrupt = editor.interrupt { DescriptorWait.drain(interrupt) }
        let remark = try link.restore()
        if let remark { output.writeError(TerminalText(lines: [remark])) }
        guard let (request, outcome) = try answered(request, part) else { return true }
        follow(request)
        endInterruptedLine(of: request, part.destination)
        var presentation = presentation
        // Output that is not a terminal gets the complete text.
        if part.destination != nil { presentation.style = TextStyle() }
        let shown = presentation.json ? outcome : SessionWords.completed(outcome, of: request)
        guard let text = presentation.text(of: shown) else { return true }
        try show(text, part.destination)
        presentation.remarks(of: shown).forEach(output.warn)
        return true
    }

    private func show(
        _ answer: SessionWords.Answer, _ destination: SessionLine.Destination?
    ) throws(CommandFailure) {
        switch answer {
        case .clearedScreen:
            guard presentation.style.width != nil, destination == nil else { return }
            try output.show(TerminalText(own: "\u{1B}[H\u{1B}[2J"))
        case .lines(let lines):
            try show(TerminalText(lines: presentation.style.fitted(lines)), destination)
        }
    }

    /// A repeated command that is ended by Ctrl-C leaves the terminal's `^C` behind: the prompt has
    /// to begin on a line of its own.
    private func endInterruptedLine(
        of request: Request, _ destination: SessionLine.Destination?
    ) {
        guard request.command is any RepeatedCommand.Type, presentation.style.width != nil,
            destination == nil, let interrupt = editor.interrupt,
            DescriptorWait.wait(for: -1, interrupt: interrupt, until: .now) == .interrupted
        else { return }
        output.writeError(TerminalText(own: "\n"))
    }

    /// Runs a request; a command that needs it is confirmed first. `nil` if it
    /// is declined.
    func confirming(
        _ request: Request, _ destination: SessionLine.Destination?
    ) throws(CommandFailure) -> CommandOutcome? {
        var request = request
        let broughtSecret = bringsSecret
        let command = request.command as? any ConfirmedCommand.Type
        if let command, request.parameters["isConfirmed"] == nil {
            // `false` tells the agent that there is someone to ask.
            request.parameters = command.confirmed(
                request.parameters, confirmed.contains(request.method))
        }
        do throws(CommandFailure) {
            return try outcome(of: request, destination)
        } catch {
            guard error.code == .unconfirmed, let command else { throw error }
            output.writeError(TerminalText(lines: [error.message]))
            guard
                case .line(let line) = editor.read(
                    prompt: command.question),
                ["y", "yes"].contains(line.filter { !$0.isWhitespace }.lowercased())
            else { return nil }
            if !command.isAskedEachTime { confirmed.insert(request.method) }
            request.parameters = command.confirmed(request.parameters)
            // The answer to what is confirmed counts, and not the question.
            bringsSecret = broughtSecret
            return try outcome(of: request, destination)
        }
    }

    private func outcome(
        of request: Request, _ destination: SessionLine.Destination?
    ) throws(CommandFailure) -> CommandOutcome {
        try link.use { connection throws(CommandFailure) in
            let bringsValue = request.command.description.history == .keptWithoutSecrets
            defer { if connection.broughtSecret ?? bringsValue { self.bringsSecret = true } }
            // It gets the answer when there is one.
            let sink = destination == nil ? self.sink(of: request) : AnswerSink()
            do throws(CommandFailure) {
                return try self.runner.run(request, on: connection, to: sink)
            } catch {
                // It may be a secret's place, misspelt.
                if bringsValue, error.code == .notFound { self.bringsSecret = true }
                throw error
            }
        }
    }

    private func sink(of request: Request) -> AnswerSink {
        AnswerSink(
            lines: lines(of: request),
            documents: presentation.jsonLines ? { [output] in try? output.show($0.line) } : nil,
            screen: presentation.isOnTerminal ? { [output] in try? output.show($0) } : nil)
    }

    /// Returns the output for the lines of a repeated command, as they come.
    private func lines(of request: Request) -> (([String]) -> Void)? {
        guard request.command is any RepeatedCommand.Type, !presentation.json else { return nil }
        return { [output] lines in
            do throws(CommandFailure) {
                try output.show(TerminalText(lines: lines))
            } catch {
                output.warn("\(error.message)")
            }
        }
    }

    private func show(
        _ text: TerminalText, _ destination: SessionLine.Destination?
    ) throws(CommandFailure) {
        if let destination {
            try destination.take(text)
            if let interrupt = editor.interrupt { DescriptorWait.drain(interrupt) }
            return
        }
        if !presentation.json, let pager, pager.show(text) {
            if let interrupt = editor.interrupt { DescriptorWait.drain(interrupt) }
            return
        }
        try output.show(text)
    }

    private func say(_ failure: CommandFailure) throws(SystemError) {
        if failure.isInterruption {
            output.writeError(
                TerminalText(own: "interrupted; the service may still finish the command\n"))
        } else if presentation.json {
            try output.write(Presentation.document(failure).line)
        } else {
            var failure = failure
            if let startLine, let startFile {
                let place = "it is a line of \(startFile): \(startLine)"
                failure.hint = failure.hint.map { "\($0)\n\(place)" } ?? place
            }
            output.writeError(TerminalText(failure, presentation.errorStyle))
        }
    }
}
