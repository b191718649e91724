package import TelltaleProtocol

extension Presentation {
    /// An outcome as it is written, with its line end; nil where there is nothing to write.
    package func text(of outcome: CommandOutcome) -> TerminalText? {
        guard case .answer(var answer, let shown) = outcome else { return nil }
        if json { return Self.document(answer).line }
        if case .dump(var dump) = answer {
            if let file = dump.file {
                return TerminalText(
                    lines: ["dump d\(dump.id): \(dump.lines.count) lines written to \(file)"])
            }
            dump.lines.removeFirst(min(shown, dump.lines.count))
            if dump.lines.isEmpty { return nil }
            answer = .dump(dump)
        }
        return TerminalText(answer, style)
    }
}

extension JSONValue {
    /// The document on a line of its own.
    var line: TerminalText { TerminalText(json: self) + TerminalText(own: "\n") }
}
