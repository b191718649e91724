#if TELLTALE_COMPILED
// States that look stuck and are not, in sentences.

extension StuckAnswer.Remark {
    /// A line under NOT IT.
    var sentence: String {
        let name = party.subject.name
        let place = party.on?.name ?? name
        let function = party.function.map { function in
            " in \(function)"
                + (StackText.place(party.file, party.line).map { " \($0)" } ?? "")
        }
        let words = (party.relation ?? "") + (function ?? "")
        switch reason {
        case .nothingWaits:
            return "\(name) is suspended (the service called suspend), and nothing waits for it"
        case .busy: return "\(place) is busy: \(name) \(words)"
        case .holdsNobodyUp:
            return "\(name) on \(place) \(words); nothing waits for it"
                + (hope.map { ", and \($0.words) could still wake it" } ?? "")
        case .busyLoop, .blockedLoop: return loopSentence(words)
        case nil: return "\(name) \(words)"
        }
    }
}
#endif
