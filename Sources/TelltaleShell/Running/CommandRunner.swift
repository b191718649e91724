package import TelltaleClient
package import TelltaleProtocol
import TelltaleSystem

/// Runs command lines on one agent.
package struct CommandRunner {
    /// How long a command may take; nil for the agent's own bounds.
    package var limit: Duration?
    /// A descriptor that ends a command as soon as it can be read.
    package var interrupt: Int32?

    package init(limit: Duration? = nil, interrupt: Int32? = nil) {
        self.limit = limit
        self.interrupt = interrupt
    }

    /// Runs one command.
    ///
    /// - Parameters:
    ///   - request: The command.
    ///   - connection: The agent.
    ///   - onLines: Called with lines that come ahead of the answer; nil where they are to wait.
    /// - Returns: What it came to.
    /// - Throws: Why it could not be done.
    package func run(
        _ request: Request, on connection: AgentConnection, onLines: (([String]) -> Void)? = nil
    ) throws(CommandFailure) -> CommandOutcome {
        if request.method == "quit" { return .quit }
        if request.method == "dump" {
            return try dump(request, on: connection, onLines: onLines)
        }
        let answer = try connection.answer(to: request, limit: limit, interrupt: interrupt)
        return .answer(answer, shownLines: 0)
    }

    /// A dump's file is the client's: the agent never opens a path that a client names.
    private func dump(
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
        guard case .dump(var dump) = answer else { return .answer(answer, shownLines: 0) }
        if dump.lines.count < held.count { dump.lines = held + dump.lines }
        guard let file else { return .answer(.dump(dump), shownLines: shown) }
        do throws(SystemError) {
            // The file is looked at in a terminal too.
            let text = TerminalText(lines: dump.lines).text
            try PrivateFile.replace(file, with: Array(text.utf8))
        } catch {
            throw CommandFailure(
                .hostError, "the dump could not be written: \(error)",
                hint: "dump d\(dump.id) is still with the agent: "
                    + "`telltale \(connection.pid) dump d\(dump.id) --output FILE`")
        }
        dump.file = file
        return .answer(.dump(dump), shownLines: 0)
    }

    /// Takes the file out of the request, and asks for the lines ahead of the answer: a long dump is
    /// then bounded in each of its messages.
    private static func takeOutput(_ request: Request) -> (file: String?, bare: Request) {
        guard case .object(var members) = request.parameters else { return (nil, request) }
        members.removeAll { $0.key == "output" || $0.key == "stream" }
        members.append(JSONMember("stream", .bool(true)))
        let bare = Request(method: request.method, parameters: .object(members))
        guard case .string(var file)? = request.parameters["output"] else { return (nil, bare) }
        if file.hasPrefix("~/"), let home = ProcessIdentity.environment("HOME") {
            file = home + file.dropFirst()
        }
        return (file, bare)
    }
}
