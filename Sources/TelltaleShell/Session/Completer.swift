import TelltaleClient
import TelltaleProtocol

/// How a half-typed line can go on: commands from the table, paths from the live object graph.
final class Completer {
    /// How long the agent may take; typing must not stand still for longer.
    static let timeout: Duration = .milliseconds(250)

    private let link: AgentLink

    init(link: AgentLink) { self.link = link }

    func complete(_ line: HalfTypedLine) -> Completion {
        let place = HalfTypedPlace(line.text)
        let words: [String]
        switch place.kind {
        case .nothing: words = []
        case .file: return .files
        case .words(let all): words = place.beginnings(among: all)
        case .command: words = place.beginnings(among: Commands.words)
        case .path:
            let commands = place.isFirst ? place.beginnings(among: Commands.words) : []
            words = commands + candidates(for: place.word)
        case .pathOr(let others):
            words = place.beginnings(among: others) + candidates(for: place.word)
        case .name(let kind, let others):
            words = place.beginnings(among: others) + candidates(for: place.word, of: kind)
        }
        return .words(Self.fitting(words, place, line))
    }

    private func candidates(
        for path: String, of kind: CompletionPlace.Named? = nil
    ) -> [String] {
        guard let connection = link.current else { return [] }
        let answer = try? link.use { _ throws(CommandFailure) in
            try connection.answer(
                to: CompleteCommand.self, CompleteCommand.Parameters(path: path, of: kind),
                limit: Self.timeout)
        }
        return answer?.candidates.map(\.escaped) ?? []
    }

    /// The editor's word begins later than the path where the path has a space in a key, so that only
    /// the end of a candidate takes its place.
    private static func fitting(
        _ words: [String], _ place: HalfTypedPlace, _ line: HalfTypedLine
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
