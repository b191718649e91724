import TelltaleProtocol

// Lines that are Swift source.
extension Session {
    /// Returns a line with its continuations, if a bracket is open or it ends with a backslash; an
    /// empty one ends it unchanged. `nil` if it was dropped.
    func whole(_ first: String) -> String? {
        var line = first
        while SessionLine.goesOn(line), line.utf8.count < HistoryPolicy.longest {
            guard case .line(let next) = editor.read(prompt: "... ") else { return nil }
            if line.hasSuffix("\\") { line.removeLast() }
            if next.isEmpty { break }
            // In source code the end of a line ends a statement.
            line += (SwiftLine.isCommand(line) && !line.hasPrefix("eval") ? " " : "\n") + next
        }
        return line
    }

    /// Runs a request; what the agent can't answer without a compiler is compiled. `nil` if it is declined.
    func answered(
        _ request: Request, _ part: SessionLine.Part
    ) throws(CommandFailure) -> (Request, CommandOutcome)? {
        do throws(CommandFailure) {
            return try confirming(request, part.destination).map { (request, $0) }
        } catch {
            guard
                SwiftLine.isWorthCompiling(
                    request, part.command, after: error, isDeclared: runner.evaluator.declares),
                link.hello.mode != "read-only",
                let code = try CommandLineParser.parse("eval \(part.command)")
            else { throw error }
            do throws(CommandFailure) {
                return try confirming(code, part.destination).map { (code, $0) }
            } catch let refusal {
                throw SwiftLine.failure(refusal, after: error, request)
            }
        }
    }
}
