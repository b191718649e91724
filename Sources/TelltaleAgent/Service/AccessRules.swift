#if TELLTALE_AGENT
import TelltaleProtocol

/// What may not be done through the agent, of what its mode allows: `call`, `set photos.*`.
struct AccessRules: Sendable {
    private struct Rule {
        /// A command; nil for all that change something.
        let command: String?
        /// Which paths or actions; nil for all.
        let pattern: [Character]?
        let text: String
    }

    private let rules: [Rule]

    /// Makes rules of their texts; those that are none are left out.
    init(_ texts: [String]) { rules = texts.compactMap(Self.rule) }

    /// Whether a text is a rule.
    static func isRule(_ text: String) -> Bool { rule(text) != nil }

    /// Whether some of them hold for paths only.
    var hasPatterns: Bool { rules.contains { $0.pattern != nil } }

    /// The rule by which a command is refused, or one that does the same; nil where none does.
    ///
    /// - Parameters:
    ///   - commands: The command, and what else it comes to: `undo` sets a value.
    ///   - targets: The names of what it is done to; a rule for a path holds for each of them.
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

    /// The name of what could not be told in time: all rules hold for it.
    static let unknown = "?"

    /// Whether what a rule names by its beginning stands below a place, and would be replaced with it.
    private static func holds(_ name: String, _ pattern: [Character]) -> Bool {
        let beginning = String(pattern.prefix { $0 != "*" })
        return beginning.hasPrefix(name + ".") || beginning.hasPrefix(name + "[")
    }

    private static let all: Substring = "*"

    /// Those that look their places up themselves, among the changes.
    private static let withTargets: Set = ["undo", "redo"]

    private static func rule(_ text: String) -> Rule? {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard let word = words.first, words.count <= 2 else { return nil }
        let command = word == all ? nil : String(word)
        if let command {
            guard let method = CommandTable.method(named: command) else { return nil }
            // One that would never hold is no rule.
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

    /// Whether a name fits a pattern, in which `*` stands for any characters: in the time of their product.
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
    /// Refuses what a rule denies, before anything of it is done; that it was tried is in the audit log.
    func checkAccess(_ commands: String..., to targets: [String]) throws(CommandFailure) {
        guard let rule = agent.access.denying(commands, targets) else { return }
        agent.changes.audit.write(denied: commands[0], targets.first, by: peer)
        throw CommandFailure(
            .denied, "`\(commands[0])` is refused here: the service denies `\(rule)`",
            hint: targets.contains(AccessRules.unknown)
                ? "where it leads can't be told: an owner did not answer, or it is an address"
                : "TELLTALE_DENY, or its configuration, says so")
    }
}
#endif
