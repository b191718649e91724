#if TELLTALE_AGENT
import TelltaleProtocol

/// The rules that forbid commands which the agent's mode allows: `call`, `set photos.*`.
struct AccessRules: Sendable {
    private struct Rule {
        /// The command; nil for every command that changes something.
        let command: String?
        /// The pattern of the paths or actions; nil for all.
        let pattern: [Character]?
        let text: String
    }

    private let rules: [Rule]

    /// Parses rules; texts that are not valid rules are left out.
    init(_ texts: [String]) { rules = texts.compactMap(Self.rule) }

    /// Returns true if a text is a valid rule.
    static func isRule(_ text: String) -> Bool { rule(text) != nil }

    /// True if at least one rule is limited to paths.
    var hasPatterns: Bool { rules.contains { $0.pattern != nil } }

    /// The first rule as it was written; nil if there is none.
    var first: String? { rules.first?.text }

    /// Returns the first rule that refuses a command; nil if none does.
    ///
    /// - Parameters:
    ///   - commands: The command, and the commands that it amounts to: `undo` sets a value.
    ///   - targets: The names of the command's target; a rule for a path applies to each of them.
    /// - Returns: The rule as it was written.
    func denying(_ commands: [String], _ targets: [String]) -> String? {
        let changes = commands.contains {
            CommandTable.method(named: $0)?.description.effect == .changes
        }
        return rules.first { rule in
            guard rule.command.map(commands.contains) ?? changes else { return false }
            guard let pattern = rule.pattern else { return true }
            return targets.contains {
                $0 == Self.unknown || Self.fits(Array($0), pattern) || Self.holds($0, pattern)
            }
        }?.text
    }

    /// Stands for a name that could not be resolved in time; all rules match it.
    static let unknown = "?"

    /// Returns true if the pattern's literal beginning names a value below `name`, which would be replaced
    /// together with it.
    private static func holds(_ name: String, _ pattern: [Character]) -> Bool {
        let beginning = String(pattern.prefix { $0 != "*" })
        return beginning.hasPrefix(name + ".") || beginning.hasPrefix(name + "[")
    }

    private static let all: Substring = "*"

    /// Changing commands that resolve their targets themselves.
    private static let withTargets: Set = ["undo", "redo"]

    private static func rule(_ text: String) -> Rule? {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard let word = words.first, words.count <= 2 else { return nil }
        let command = word == all ? nil : String(word)
        if let command {
            guard let method = CommandTable.method(named: command) else { return nil }
            // A rule that could never match is not valid.
            if words.count == 2, !Self.withTargets.contains(command),
                (method as? any AgentCommand.Type)?.hasTargets != true
            {
                return nil
            }
        }
        return Rule(
            command: command, pattern: words.count == 2 ? Array(words[1]) : nil,
            text: words.joined(separator: " "))
    }

    /// Returns true if a name matches a pattern, in which `*` matches any characters. Takes time
    /// proportional to the product of the two lengths.
    private static func fits(_ name: [Character], _ pattern: [Character]) -> Bool {
        var (at, sign) = (0, 0)
        var star: (sign: Int, at: Int)?
        while at < name.count {
            if sign < pattern.count, pattern[sign] == "*" {
                star = (sign, at)
                sign += 1
            } else if sign < pattern.count, pattern[sign] == name[at] {
                (at, sign) = (at + 1, sign + 1)
            } else if let last = star {
                star = (last.sign, last.at + 1)
                (at, sign) = (last.at + 1, last.sign + 1)
            } else {
                return false
            }
        }
        return pattern[sign...].allSatisfy { $0 == "*" }
    }
}

extension CommandContext {
    /// Refuses a command that a rule denies before any part of it runs, and records the attempt in the
    /// audit log.
    func checkAccess(_ commands: String..., to targets: [String]) throws(CommandFailure) {
        guard let rule = agent.access.denying(commands, targets) else { return }
        throw refusal(commands[0], targets, by: rule)
    }

    /// Refuses a command that could do whatever any rule denies.
    func checkUnrestricted(_ command: String) throws(CommandFailure) {
        guard let rule = agent.access.first else { return }
        throw refusal(command, [], by: rule)
    }

    private func refusal(
        _ command: String, _ targets: [String], by rule: String
    ) -> CommandFailure {
        agent.changes.audit.write(denied: command, targets.first, by: author)
        return CommandFailure(
            .denied, "`\(command)` is refused here: the service denies `\(rule)`",
            hint: targets.contains(AccessRules.unknown)
                ? "where it leads can't be told: an owner did not answer, or it is an address"
                : "TELLTALE_DENY, or its configuration, says so")
    }
}
#endif
