import TelltaleProtocol
import TelltaleSystem

/// The session's own commands: `history`, `!N`, `alias`, `clear`, and the file that it reads first.
struct SessionWords {
    /// The answer of one of its words.
    enum Answer: Equatable {
        case lines([String])
        case clearedScreen
    }

    private(set) var history: [String] = []
    private(set) var aliases: [String: String] = [:]

    /// The file of commands that each session begins with: `$XDG_CONFIG_HOME/telltale/rc`, else
    /// `~/.config/telltale/rc`; nil without a home.
    static func startFile(environment: (String) -> String?) -> String? {
        if let config = environment("XDG_CONFIG_HOME"), config.hasPrefix("/") {
            return config + "/telltale/rc"
        }
        guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
        return home + "/.config/telltale/rc"
    }

    mutating func remember(_ line: String, bound: Int) {
        history.append(line)
        if history.count > bound { history.removeFirst(history.count - bound) }
    }

    /// Replaces `!12`, `!!` or `!word` at the beginning of a line by the line of the history.
    func recalled(_ line: String) throws(CommandFailure) -> String {
        guard line.hasPrefix("!"), line.count > 1 else { return line }
        let word = line.dropFirst().prefix { !$0.isWhitespace }
        let rest = line.dropFirst(1 + word.count)
        let found: String?
        if word == "!" {
            found = history.last
        } else if let number = Int(word) {
            // The smallest number has no opposite.
            found =
                number > 0
                ? history.dropFirst(number - 1).first
                : number < 0 ? history.dropLast(-(number + 1)).last : nil
        } else {
            found = history.last { $0.hasPrefix(word) }
        }
        guard let found else {
            throw CommandFailure(
                .notFound, "there is no line '!\(word)'", hint: "`history` lists them")
        }
        return found + rest
    }

    /// A command with its first word replaced, where that is an alias; never twice.
    func expanded(_ command: String) -> String {
        let word = String(command.prefix { !$0.isWhitespace })
        guard let meaning = aliases[word] else { return command }
        return meaning + command.dropFirst(word.count)
    }

    /// The words that can begin a line besides the agent's commands.
    var names: [String] { Self.table.map(\.name) + aliases.keys }

    /// Returns the answer of a session's word; `nil` for any other command.
    mutating func answer(_ command: String) throws(CommandFailure) -> Answer? {
        let word = command.prefix { !$0.isWhitespace }
        let rest = command.dropFirst(word.count).trimmed
        switch word {
        case "clear":
            guard rest.isEmpty else {
                throw CommandFailure(.usage, "unexpected argument '\(rest)'", hint: "clear")
            }
            return .clearedScreen
        case "help", "?": return help(for: rest).map { .lines($0) }
        default: return try lines(word, rest).map { .lines($0) }
        }
    }

    private mutating func lines(
        _ word: Substring, _ rest: String
    ) throws(CommandFailure) -> [String]? {
        switch word {
        case "history":
            let count = rest.isEmpty ? history.count : Int(rest) ?? -1
            guard count >= 0 else {
                throw CommandFailure(
                    .usage, "'\(rest)' is not a number of lines", hint: "history 20")
            }
            let first = max(0, history.count - count)
            return history[first...].enumerated().map { index, line in
                let number = String(first + index + 1)
                return String(repeating: " ", count: max(0, 5 - number.count)) + number + "  "
                    + line
            }
        case "alias": return try alias(rest)
        case "unalias":
            guard aliases.removeValue(forKey: rest) != nil else {
                throw CommandFailure(.notFound, "there is no alias '\(rest)'")
            }
            return []
        default: return nil
        }
    }

    private mutating func alias(_ text: String) throws(CommandFailure) -> [String] {
        guard !text.isEmpty else {
            return aliases.sorted { $0.key < $1.key }.map { "alias \($0.key) = \($0.value)" }
        }
        let parts = text.split(separator: "=", maxSplits: 1).map(\.trimmed)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
            !parts[0].contains(where: \.isWhitespace)
        else {
            throw CommandFailure(
                .usage, "an alias has a name and a line",
                hint: "alias items = get photos.items.count")
        }
        guard !Commands.isCommand(parts[0]) else {
            throw CommandFailure(.usage, "\(parts[0]) is a command")
        }
        guard !Self.table.contains(where: { $0.name == parts[0] }) else {
            throw CommandFailure(.usage, "\(parts[0]) is a word of the session")
        }
        aliases[parts[0]] = parts[1]
        return []
    }
}
