import TelltaleProtocol

extension SessionLine.Part {
    /// Takes `--json` and `--json=lines` out of the command, in any position; in quotes they are
    /// part of a value.
    ///
    /// - Returns: The requested form; neither if the options are absent, or if nothing else is
    ///   there.
    mutating func takeJSON() -> (isAsked: Bool, isLines: Bool) {
        let words = HalfTypedPlace.split(command)
        let taken = words.filter { Options.jsonWords.contains($0.text) }
        guard !taken.isEmpty,
            words.contains(where: {
                !$0.text.isEmpty && !Options.jsonWords.contains($0.text)
            })
        else { return (false, false) }
        var bytes = Array(command.utf8)
        for word in taken.reversed() {
            bytes.removeSubrange(word.start..<(word.start + word.text.utf8.count))
        }
        command = TypedText.trimmed(String(decoding: bytes, as: UTF8.self))
        return (true, taken.contains { $0.text == Options.lines })
    }

    /// A failure, with how a file is written where one may have been meant: `queues > q.txt` compares.
    func explained(_ failure: CommandFailure) -> CommandFailure {
        guard failure.code == .usage || failure.code == .notFound, let file = fileMeant else {
            return failure
        }
        var failure = failure
        let hint = "a file is known by its slash: > ./\(file)"
        failure.hint = failure.hint.map { "\($0)\n\(hint)" } ?? hint
        return failure
    }

    private var fileMeant: String? {
        let marks = TypedText(command)
        guard destination == nil, let last = marks.plain.last(where: { command[$0] == ">" }),
            marks.hasSpaceBefore(last) || marks.isBeside(last, ">")
        else { return nil }
        let name = TypedText.trimmed(command[command.index(after: last)...])
        guard let first = name.first, first.isLetter, !name.contains(" "), !name.contains("/")
        else { return nil }
        return name
    }
}

extension Presentation {
    /// The request of a line, as it is sent; `nil` for a line without a command.
    func request(_ line: String) throws(CommandFailure) -> Request? {
        try CommandLineParser.parse(line).map(sent)
    }

    /// The request as it is sent for this presentation: as text, objects that lead back are one line.
    func sent(_ request: Request) -> Request {
        guard !json, let command = request.command as? any BriefCommand.Type else { return request }
        var request = request
        request.parameters = command.brief(request.parameters)
        return request
    }

    /// The same, as JSON where a line asks for it.
    func asked(_ json: (isAsked: Bool, isLines: Bool)) -> Presentation {
        var asked = self
        asked.json = asked.json || json.isAsked
        asked.jsonLines = asked.jsonLines || json.isLines
        return asked
    }
}
