import TelltaleClient
import TelltaleProtocol

/// How a half-typed line can go on: commands from the table, paths from the live object graph.
final class Completer {
    /// How long the agent may take; typing must not stand still for longer.
    static let patience: Duration = .milliseconds(250)

    private let link: AgentLink

    init(link: AgentLink) { self.link = link }

    func complete(_ line: HalfTypedLine) -> Completion {
        let place = CompletionPlace(line.text)
        switch place.kind {
        case .nothing: return .words([])
        case .files: return .files
        case .words(let words):
            return .words(Self.fitting(words.filter { $0.hasPrefix(place.word) }, place, line))
        case .paths(let orCommands):
            let commands = orCommands ? Commands.words.filter { $0.hasPrefix(place.word) } : []
            let paths = candidates(for: place.word)
            return .words(Self.fitting(commands + paths, place, line))
        case .names(let kind, let words):
            let known = candidates(for: place.word, of: kind)
            return .words(
                Self.fitting(words.filter { $0.hasPrefix(place.word) } + known, place, line))
        }
    }

    private func candidates(for path: String, of kind: String? = nil) -> [String] {
        guard let connection = link.current else { return [] }
        var members = [JSONMember("path", .string(path))]
        if let kind { members.append(JSONMember("of", .string(kind))) }
        let request = Request(method: "complete", parameters: .object(members))
        let answer = try? link.use { _ throws(CommandFailure) in
            try connection.answer(to: request, limit: Self.patience)
        }
        guard case .completion(let completion)? = answer else { return [] }
        return completion.candidates.map(\.escaped)
    }

    /// The editor's word begins later than the path where the path has a space in a key, so that only
    /// the end of a candidate takes its place.
    private static func fitting(
        _ words: [String], _ place: CompletionPlace, _ line: HalfTypedLine
    ) -> [String] {
        let ahead = line.start - place.start
        guard ahead != 0 else { return words }
        let bytes = Array(line.text.utf8)
        if ahead < 0 {
            guard line.start >= 0, place.start <= bytes.count else { return [] }
            let before = String(decoding: bytes[line.start..<place.start], as: UTF8.self)
            return words.map { before + $0 }
        }
        guard line.start <= bytes.count else { return [] }
        let typed = bytes[place.start..<line.start]
        return words.compactMap { word in
            word.utf8.starts(with: typed)
                ? String(decoding: word.utf8.dropFirst(ahead), as: UTF8.self) : nil
        }
    }
}
