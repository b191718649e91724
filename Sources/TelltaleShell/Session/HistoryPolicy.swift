package import TelltaleProtocol

/// Which lines the history may keep.
package enum HistoryPolicy {
    /// Longer lines are pasted data and not commands that someone looks for again.
    static let longest = 4096

    /// Whether `line` may be stored.
    ///
    /// Not one that begins with a space, as in shells, and not one that brings a secret with it: a
    /// change of something whose name looks like one's, or a value that looks like one. When in doubt
    /// the line is dropped: it can be typed again, and a stored secret can't be taken back.
    package static func keeps(_ line: String, _ request: Request?) -> Bool {
        guard let first = line.first, first != " ", first != "\t", line.utf8.count <= longest,
            !line.utf8.contains(where: { $0 < 32 || $0 == 127 })
        else { return false }
        if SecretLooks.holdsSecret(line) { return false }
        let brings =
            request.map { $0.command.description.history == .keptWithoutSecrets } ?? true
        return !brings || !SecretNames.standard.isNamed(in: line)
    }
}
