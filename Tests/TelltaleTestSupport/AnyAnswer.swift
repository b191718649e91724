package import TelltaleProtocol

/// Reads answers whose questions aren't known.
package enum AnyAnswer {
    /// The kinds of answer that there are.
    package static var kinds: Set<String> {
        var kinds: Set<String> = []
        for command in CommandTable.methods where !command.description.endsSession {
            kinds.insert(command.answerKind)
        }
        return kinds
    }

    /// Reads the result of a response by its kind.
    package static func read(_ result: JSONValue) throws(CommandFailure) -> any CommandAnswer {
        for command in CommandTable.methods where .string(command.answerKind) == result["kind"] {
            return try command.answer(from: result)
        }
        return try HelpCommand.answer(from: result)
    }
}

/// Returns whether two answers are the same.
package func same(_ one: any CommandAnswer, _ other: any CommandAnswer) -> Bool {
    func isEqual<Left: CommandAnswer>(_ left: Left) -> Bool { left == other as? Left }
    return isEqual(one)
}
