package import TelltaleClient
package import TelltaleProtocol
import TelltaleSystem

/// A session at the terminal: a prompt, a command, its answer, until `quit` or Ctrl-D.
package final class Session {
    /// How many lines the history keeps.
    package static let historyBound = 1000

    package typealias Reconnect = () -> Result<AgentConnection, CommandFailure>

    private let editor: any LineEditor
    private let output: any ShellOutput
    private var presentation: Presentation
    private var runner: CommandRunner
    private let pager: Pager?
    private let history: HistoryFile?
    private let link: AgentLink
    private var isHistorySaid = false
    /// Whether the user knows that a call may end the service.
    /// The commands that were confirmed: what one may break is not what another may.
    private var confirmed: Set<String> = []

    /// `limit`, `pager` and `history` are nil for the usual bounds, for none, and for nowhere.
    package init(
        connection: AgentConnection, editor: any LineEditor, output: any ShellOutput,
        presentation: Presentation, limit: Duration?, pager: Pager?, history: HistoryFile?,
        reconnect: @escaping Reconnect
    ) {
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
        let completer = Completer(link: link)
        editor.completer = { completer.complete($0) }
        defer { editor.completer = nil }
        while true {
            switch editor.read(prompt: prompt) {
            case .end:
                // The shell's prompt is to begin a line of its own.
                try? output.write(TerminalText(own: "\n"))
                return 0
            case .interrupted: continue
            case .line(let line):
                presentation.followTerminal()
                runner.style = presentation.style
                do throws(SystemError) {
                    guard try run(line) else { return 0 }
                } catch {
                    output.warn("the answer could not be written: \(error)")
                    return 1
                }
            }
        }
    }

    /// `photo-manager(4242)> `, with a mark where nothing can be changed or nobody listens, and its user
    /// where that is somebody else.
    private var prompt: String {
        let hello = link.hello
        var marks = ["\(link.pid)"]
        if hello.mode == "read-only" { marks.append("read-only") }
        if link.isLost { marks.append("lost") }
        let user = link.otherUser.map { "\($0.escaped)/" } ?? ""
        return user + "\(hello.name.escaped)(\(marks.joined(separator: ", ")))> "
    }

    /// - Returns: false for `quit`.
    private func run(_ line: String) throws(SystemError) -> Bool {
        do throws(CommandFailure) {
            guard let request = try CommandLineParser.parse(line) else { return true }
            remember(line, request)
            if request.command.description.endsSession { return false }
            if let interrupt = editor.interrupt { DescriptorWait.drain(interrupt) }
            let remark = try link.restore()
            if let remark { output.writeError(TerminalText(lines: [remark])) }
            guard let outcome = try confirming(request) else { return true }
            guard let text = presentation.text(of: outcome) else { return true }
            return try show(text)
        } catch {
            remember(line, nil)
            try say(error)
            return true
        }
    }

    /// Runs a request; what may end the service is asked for once a session. Nil where the answer is no.
    private func confirming(_ request: Request) throws(CommandFailure) -> CommandOutcome? {
        var request = request
        let command = request.command as? any ConfirmedCommand.Type
        if let command, confirmed.contains(request.method) {
            request.parameters = command.confirmed(request.parameters)
        }
        do throws(CommandFailure) {
            return try outcome(of: request)
        } catch {
            guard error.code == .unconfirmed, let command else { throw error }
            output.writeError(TerminalText(lines: [error.message]))
            guard
                case .line(let line) = editor.read(
                    prompt: command.question),
                ["y", "yes"].contains(line.filter { !$0.isWhitespace }.lowercased())
            else { return nil }
            confirmed.insert(request.method)
            request.parameters = command.confirmed(request.parameters)
            return try outcome(of: request)
        }
    }

    private func outcome(of request: Request) throws(CommandFailure) -> CommandOutcome {
        try link.use { connection throws(CommandFailure) in
            try self.runner.run(request, on: connection, onLines: self.lines(of: request))
        }
    }

    /// Shows the lines of a command that goes on, as they come.
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

    private func show(_ text: TerminalText) throws(CommandFailure) -> Bool {
        if !presentation.json, let pager, pager.show(text) {
            if let interrupt = editor.interrupt { DescriptorWait.drain(interrupt) }
            return true
        }
        try output.show(text)
        return true
    }

    private func say(_ failure: CommandFailure) throws(SystemError) {
        if failure.isInterruption {
            output.writeError(
                TerminalText(own: "interrupted; what the service has begun, it ends alone\n"))
        } else if presentation.json {
            try output.write(Presentation.document(failure).line)
        } else {
            output.writeError(TerminalText(failure, presentation.errorStyle))
        }
    }

    // MARK: history

    private func loadHistory() {
        guard let history else { return }
        do throws(SystemError) {
            for line in try history.load(bound: Self.historyBound) {
                editor.remember(line, bound: Self.historyBound)
            }
        } catch {
            sayHistory(error)
        }
    }

    /// Keeps a line, also one that failed, so that it can be mended; never one with a secret.
    private func remember(_ line: String, _ request: Request?) {
        guard lastRemembered != line else { return }
        lastRemembered = line
        guard HistoryPolicy.keeps(line, request) else { return }
        editor.remember(line, bound: Self.historyBound)
        guard let history else { return }
        do throws(SystemError) {
            try history.append(line)
        } catch {
            sayHistory(error)
        }
    }

    private var lastRemembered: String?

    private func sayHistory(_ error: SystemError) {
        guard !isHistorySaid else { return }
        isHistorySaid = true
        output.warn("the history is not kept: \(error)")
    }
}
