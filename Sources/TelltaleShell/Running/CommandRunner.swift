package import TelltaleClient
package import TelltaleProtocol
import TelltaleSystem

package struct CommandRunner {
    /// The time limit of a command; `nil` for the agent's own bounds.
    package var limit: Duration?
    /// A descriptor that ends a command as soon as it can be read.
    package var interrupt: Int32?
    /// The output for the progress of a slow answer; `nil` for none.
    package var progress: ProgressLine?
    /// The layout of lines that are shown as they come.
    package var style = TextStyle()
    /// Compiles the code of `eval`, and keeps what it declares for the next.
    let evaluator = Evaluator()

    /// Runs one command. What comes ahead of its answer goes to the sink; without one it waits.
    package func run(
        _ request: Request, on connection: AgentConnection, to sink: AnswerSink = AnswerSink()
    ) throws(CommandFailure) -> CommandOutcome {
        if request.command.description.endsSession { return .quit }
        if let command = request.command as? any RepeatedCommand.Type,
            let repetition = command.repetition(of: request.parameters)
        {
            return try RepeatedRun(
                request: request, repetition: repetition, limit: limit, interrupt: interrupt,
                style: style
            ).run(on: connection, to: sink)
        }
        if request.command is EvalCommand.Type {
            return .answer(
                try evaluator.answer(
                    to: request, on: connection, limit: limit, interrupt: interrupt,
                    progress: progress))
        }
        if request.command.description.isStreamed {
            return try stream(
                request, on: connection,
                onLines: sink.documents.map { show in { show(Self.part($0)) } } ?? sink.lines)
        }
        if let progress, let words = request.command.description.progress {
            connection.onDelay = { progress.show(words) }
        }
        defer {
            connection.onDelay = nil
            progress?.clear()
        }
        let answer = try connection.answer(to: request, limit: limit, interrupt: interrupt)
        if let profile = answer as? ProfileAnswer {
            return .answer(try ProfileFile.written(profile, for: request, of: connection.pid))
        }
        return .answer(answer)
    }

    /// Lines that came ahead of an answer, as a document.
    private static func part(_ lines: [String]) -> JSONValue {
        AnswerDocument.make(
            kind: "part", [JSONMember("lines", .array(lines.map { .string($0) }))])
    }

    /// A file is the client's: the agent never opens a path that a client names.
    private func stream(
        _ request: Request, on connection: AgentConnection, onLines: (([String]) -> Void)?
    ) throws(CommandFailure) -> CommandOutcome {
        let (file, bare) = Self.takeOutput(request)
        let show = file == nil ? onLines : nil
        // The answer has none of the lines that came ahead of it. What is shown at once isn't held.
        var held: [String] = []
        var shown = 0
        let answer = try connection.answer(to: bare, limit: limit, interrupt: interrupt) { lines in
            if let show {
                show(lines)
                shown += lines.count
            } else {
                held += lines
            }
        }
        guard var streamed = answer as? any StreamedAnswer else { return .answer(answer) }
        if streamed.lines.count < held.count { streamed.lines = held + streamed.lines }
        if let file {
            try write(streamed, to: file, of: connection)
            streamed.file = file
        } else {
            streamed.lines.removeFirst(min(shown, streamed.lines.count))
            if shown > 0, streamed.lines.isEmpty { return .shown }
        }
        return .answer(streamed)
    }

    private func write(
        _ answer: any StreamedAnswer, to file: String, of connection: AgentConnection
    ) throws(CommandFailure) {
        do throws(SystemError) {
            // The file is looked at in a terminal too.
            let text = TerminalText(lines: answer.lines).text
            try PrivateFile.replace(file, with: Array(text.utf8))
        } catch {
            throw CommandFailure(
                .hostError, "the lines could not be written: \(error)",
                hint: "\(answer.again) is still with the agent: "
                    + "`telltale \(connection.pid) \(answer.again) --output FILE`")
        }
    }

    /// Takes the file out of the request, and asks for the lines ahead of the answer: a long one is
    /// then bounded in each of its messages.
    private static func takeOutput(_ request: Request) -> (file: String?, bare: Request) {
        guard case .object(var members) = request.parameters else { return (nil, request) }
        members.removeAll { $0.key == "output" || $0.key == "stream" }
        members.append(JSONMember("stream", .bool(true)))
        var bare = request
        bare.parameters = .object(members)
        guard case .string(var file)? = request.parameters["output"] else { return (nil, bare) }
        if file.hasPrefix("~/"), let home = ProcessIdentity.environment("HOME") {
            file = home + file.dropFirst()
        }
        return (file, bare)
    }
}

package enum CommandOutcome {
    /// An answer; without the lines that have been shown already as they came.
    case answer(any CommandAnswer)
    /// An answer whose lines have all been shown already.
    case shown
    /// The session ends.
    case quit

    /// The exit status of a client that was started for the command alone.
    package var exitStatus: ExitStatus {
        if case .answer(let answer) = self { answer.exitStatus } else { .done }
    }
}
