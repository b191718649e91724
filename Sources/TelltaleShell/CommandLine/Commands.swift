import TelltaleProtocol

/// The commands as the command line and completion see them.
package enum Commands {
    /// Returns whether a word is a command's name or an alias of one.
    package static func isCommand(_ word: String) -> Bool {
        CommandTable.command(named: word) != nil
    }

    /// The names under which a line can begin, sorted.
    package static let words: [String] = CommandTable.all
        .flatMap { [$0.name] + $0.aliases }
        .filter { $0.first?.isLetter == true }
        .sorted()
}
