import TelltaleProtocol

/// A line of a session that is Swift source and no command.
///
/// A command is a command, and a path, a call or an assignment is asked of the agent first, which needs no compiler. A
/// single unknown word is never compiled: it is a mistyped command.
enum SwiftLine {
    private static let keywords: Set<String> = [
        "let", "var", "func", "struct", "class", "enum", "actor", "extension", "protocol",
        "typealias", "import", "for", "while", "repeat", "if", "switch", "guard", "do", "try",
        "await", "throw", "defer",
    ]

    /// Returns whether a line begins with a word of Swift's that isn't a command.
    static func begins(_ line: String) -> Bool {
        let line = line.trimmed
        let word = String(line.prefix { $0.isLetter })
        return keywords.contains(word) && line.dropFirst(word.count).first?.isWhitespace == true
    }

    /// Returns whether a line has a mark that only source code or a path has.
    private static func hasMarks(_ line: String) -> Bool {
        line.contains { "(){}[]=.?!\"\\".contains($0) }
    }

    /// Returns whether the first word of a line is a command's.
    static func isCommand(_ line: String) -> Bool {
        let word = line.trimmed.prefix { !$0.isWhitespace }
        return CommandTable.command(named: String(word)) != nil
            || SessionWords.table.contains { $0.name == word }
    }

    /// Returns whether a line that no parser of commands takes is to be compiled. `parts` are the commands that it has,
    /// if it is one of commands.
    static func isSwift(_ line: String, _ parts: [SessionLine.Part]) -> Bool {
        if begins(line) { return true }
        guard hasMarks(line), let first = parts.first, !isCommand(first.command) else {
            return false
        }
        return parts.contains { part in
            do throws(CommandFailure) {
                _ = try CommandLineParser.parse(part.command)
                return false
            } catch {
                return error.code == .usage || error.code == .unknownCommand
            }
        }
    }

    /// Returns whether a line that the agent couldn't answer is to be compiled: it may not know such a method or
    /// property, and the compiler does.
    static func isWorthCompiling(
        _ request: Request, _ line: String, after failure: CommandFailure,
        isDeclared: (String) -> Bool
    ) -> Bool {
        guard !isCommand(line) else { return false }
        switch failure.code {
        case .notFound, .unsupported, .usage: break
        default: return false
        }
        if line.hasPrefix("$") { return true }
        let root = String(line.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        if isDeclared(root) { return true }
        guard root.count < line.count else { return false }
        return request.command is CallCommand.Type || request.command is SetCommand.Type
            || line.contains {
                !($0.isLetter || $0.isNumber || "_.[]#\"".contains($0))
            }
    }

    /// Chooses the failure to show, if the agent could not answer and the code doesn't compile.
    static func failure(
        _ compiled: CommandFailure, after first: CommandFailure, _ request: Request
    ) -> CommandFailure {
        let isCompilers = compiled.message.hasPrefix("\(EvaluationSource.name):")
        return isCompilers && request.command is CallCommand.Type ? compiled : first
    }
}
