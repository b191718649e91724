import TelltaleProtocol

extension Presentation {
    /// An outcome as it is written, with its line end; nil where there is nothing to write.
    package func text(of outcome: CommandOutcome) -> String? {
        guard case .answer(var answer, let shown) = outcome else { return nil }
        if json { return Self.document(answer).serialized() + "\n" }
        if case .dump(var dump) = answer {
            if let file = dump.file {
                return "dump d\(dump.id): \(dump.lines.count) lines written to \(file)\n"
            }
            dump.lines.removeFirst(min(shown, dump.lines.count))
            if dump.lines.isEmpty { return nil }
            answer = .dump(dump)
        }
        let text = answer.rendered(style)
        return text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
    }
}
