package import TelltaleProtocol

/// The agent that a command is meant for.
package enum Target: Sendable, Equatable {
    /// The process of this number.
    case pid(Int32)
    case name(String)
    /// Another user's service: his name or number, and the service's name.
    case named(user: String, String)
    case socket(String)

    /// The word that names the target on a command line.
    package var word: String {
        switch self {
        case .pid(let pid): "\(pid)"
        case .name(let name): name
        case .named(let user, let name): "\(user)/\(name)"
        case .socket(let path): path
        }
    }

    /// Reads the word that names a target: a number is a pid, `user/name` a user's service, any other word
    /// with a slash a path.
    ///
    /// - Throws: A usage failure where the word can be none of them.
    package init(parsing word: String) throws(CommandFailure) {
        if let (user, name) = Self.userAndName(word) {
            // `app/photo-manager(4242)`, as the prompt and the messages write it
            self = Self.numberInTitle(name).map { .pid($0) } ?? .named(user: user, name)
        } else if word.contains("/") {
            self = .socket(word)
        } else if word.hasSuffix(".sock") {
            self = .socket("./" + word)
        } else if !word.isEmpty, word.utf8.allSatisfy({ (48...57).contains($0) }) {
            guard let pid = Int32(word), pid > 0 else {
                throw CommandFailure(
                    .usage, "\(word) is not a process id",
                    hint: "`telltale` lists the agents with their pids")
            }
            self = .pid(pid)
        } else if let pid = Self.numberInTitle(word) {
            // `photo-manager(4242)`, as the prompt and the messages write it
            self = .pid(pid)
        } else if word.isEmpty {
            throw CommandFailure(
                .usage, "the target is empty",
                hint: "name a pid, a service or a socket: `telltale 4242 status`")
        } else {
            self = .name(word)
        }
    }

    // `./agent`, `../agent` and `run/4242-1.sock` are paths.
    private static func userAndName(_ word: String) -> (String, String)? {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, parts[0] != ".",
            parts[0] != "..", !parts[1].hasSuffix(".sock")
        else { return nil }
        return (String(parts[0]), String(parts[1]))
    }

    private static func numberInTitle(_ word: String) -> Int32? {
        guard word.hasSuffix(")"), let open = word.lastIndex(of: "("), open > word.startIndex else {
            return nil
        }
        return Int32(word[word.index(after: open)...].dropLast())
    }
}
