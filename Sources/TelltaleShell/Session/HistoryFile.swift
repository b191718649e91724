package import TelltaleProtocol
package import TelltaleSystem

/// The file that keeps the lines of earlier sessions: mode 0600, never through a link.
package struct HistoryFile: Sendable {
    /// More than this is cut from the front when a session begins.
    private static let byteBound = 1 << 20

    private let path: String

    package init(path: String) { self.path = path }

    /// `$XDG_STATE_HOME/telltale/history`, else `~/.local/state/telltale/history`; nil without a home.
    package static func path(environment: (String) -> String?) -> String? {
        if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") {
            return state + "/telltale/history"
        }
        guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
        return home + "/.local/state/telltale/history"
    }

    /// The last `bound` lines. A file that has grown to twice that is made shorter.
    package func load(bound: Int) throws(SystemError) -> [String] {
        guard let bytes = try PrivateFile.tail(of: path, limit: Self.byteBound) else { return [] }
        let lines = bytes.split(separator: 10).compactMap { String(validating: $0, as: UTF8.self) }
        let kept = lines.suffix(bound)
        if lines.count > 2 * bound || bytes.count == Self.byteBound {
            let text = kept.map { $0 + "\n" }.joined()
            try PrivateFile.replace(path, with: Array(text.utf8))
        }
        return Array(kept)
    }

    /// Adds a line at once, so that several sessions share the file and none loses its lines.
    package func append(_ line: String) throws(SystemError) {
        if let slash = path.lastIndex(of: "/") {
            try PrivateFile.makeDirectory(String(path[..<slash]))
        }
        try PrivateFile.append(Array((line + "\n").utf8), to: path)
    }
}

package enum HistoryPolicy {
    /// Longer lines are pasted data and not commands that someone looks for again.
    static let longest = 4096

    /// Returns whether `line` may be stored.
    ///
    /// A line is not stored if it begins with a space, as in shells, or if it may contain a secret:
    /// a change of something whose name looks like one's, or a value that looks like one. When in
    /// doubt the line is dropped: it can be typed again, and a stored secret can't be taken back.
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
