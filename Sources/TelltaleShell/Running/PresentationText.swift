package import TelltaleProtocol

extension Presentation {
    /// An outcome as it is written, with its line end; nil where there is nothing to write.
    package func text(of outcome: CommandOutcome) -> TerminalText? {
        guard case .answer(let answer) = outcome else { return nil }
        return json ? Self.document(answer).line : TerminalText(answer, style)
    }
}

extension JSONValue {
    /// The document on a line of its own.
    var line: TerminalText { TerminalText(json: self) + TerminalText(own: "\n") }
}
