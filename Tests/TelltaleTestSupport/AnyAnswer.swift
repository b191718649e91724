package import TelltaleProtocol

/// Reads answers whose questions aren't known.
package enum AnyAnswer {
    /// The kinds of answer that there are.
    package static var kinds: Set<String> {
        Set(CommandTable.methods.filter { !$0.description.endsSession }.map(\.answerKind))
    }

    /// Reads the result of a response by its kind.
    package static func read(_ result: JSONValue) throws(CommandFailure) -> any CommandAnswer {
        let command = CommandTable.methods.first { .string($0.answerKind) == result["kind"] }
        return try (command ?? HelpCommand.self).answer(from: result)
    }
}

/// Whether two answers are the same.
package func same(_ one: any CommandAnswer, _ other: any CommandAnswer) -> Bool {
    func isEqual<Left: CommandAnswer>(_ left: Left) -> Bool { left == other as? Left }
    return isEqual(one)
}
