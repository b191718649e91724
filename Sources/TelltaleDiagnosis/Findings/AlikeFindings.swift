#if TELLTALE_AGENT
import TelltaleProtocol

/// Findings that say the same of another thread or task are one, with their number.
extension [StuckAnswer.Finding] {
    mutating func count(_ finding: StuckAnswer.Finding) -> Bool {
        guard let party = finding.parties.first,
            let index = firstIndex(where: { other in
                other.evidence == finding.evidence && other.hope == finding.hope
                    && other.parties.first?.isAlike(party) == true
            })
        else { return false }
        self[index].parties[0].count = (self[index].parties[0].count ?? 1) + 1
        self[index].seconds = Swift.max(self[index].seconds ?? 0, finding.seconds ?? 0)
        return true
    }
}

extension StuckAnswer.Party {
    /// Returns whether it is at the same location as another, and waits for the same.
    func isAlike(_ other: StuckAnswer.Party) -> Bool {
        subject.kind == other.subject.kind && on == other.on && state == other.state
            && function == other.function && file == other.file && line == other.line
            && waitsIn == other.waitsIn && isCancelled == other.isCancelled
    }
}
#endif
