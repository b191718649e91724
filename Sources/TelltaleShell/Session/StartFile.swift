import TelltaleProtocol
import TelltaleSystem

/// The file of commands that each session begins with, `~/.config/telltale/rc`.
enum StartFile {
    /// Returns its lines; none without a file, or if other users may have written it: a line may
    /// start a program.
    ///
    /// - Parameters:
    ///   - path: Where it is; a link is followed.
    ///   - warning: Takes the sentence that says why it is not run.
    /// - Returns: The lines that say something, in their order.
    static func lines(of path: String, warning: (String) -> Void) -> [String] {
        guard let facts = try? FileFacts.of(path, followingLinks: true) else { return [] }
        guard facts.kind == .file, facts.owner == ProcessIdentity.uid, facts.mode & 0o022 == 0
        else {
            warning(
                "\(path.escaped) was not run: it is not a file that belongs to you and that only you can write"
            )
            return []
        }
        return (SmallFile.text(of: path) ?? "").split(separator: "\n").map(String.init)
            .filter { !$0.allSatisfy(\.isWhitespace) }
    }
}
