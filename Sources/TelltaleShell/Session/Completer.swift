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
        case .value(let path):
            words = place.beginnings(
                among: candidates(CompleteCommand.Parameters(valuesOf: path)))
        }
        return .words(Self.fitting(Self.summed(words), place, line))
    }

    private func candidates(
        for path: String, of kind: CompletionPlace.Named? = nil
    ) -> [String] {
        candidates(CompleteCommand.Parameters(path: path, of: kind))
    }

    private func candidates(_ parameters: CompleteCommand.Parameters) -> [String] {
        guard let connection = link.current else { return [] }
        let answer = try? link.use { _ throws(CommandFailure) in
            try connection.answer(to: CompleteCommand.self, parameters, limit: Self.timeout)
        }
        guard let answer else { return [] }
        // Nothing that a session would take for the end of the command.
        let words = answer.candidates.map(\.escaped).filter(\.isOneCommand)
        // There are more than the agent sends; how many, only the last of them can tell.
        return answer.isCut ? words + [Self.more(words)].compactMap(\.self) : words
    }

    /// More elements of a collection than these are summed up.
    private static let mostElements = 20

    /// Elements beyond the twentieth as one word, which can't be taken for one of them: it goes on with
    /// nothing that can be typed.
    static func summed(_ words: [String]) -> [String] {
        let elements = words.filter { $0.hasSuffix("]") }
        guard elements.count > mostElements, let last = elements.last else { return words }
        let kept = Set(elements.prefix(mostElements - 1))
        let rest = elements.count - kept.count
        let stem = last[...(last.lastIndex(of: "[") ?? last.startIndex)]
        let isOpen = words.contains { $0.hasSuffix("…") }
        return words.filter { !$0.hasSuffix("]") && !$0.hasSuffix("…") || kept.contains($0) }
            + ["\(stem)…]  \(Quantity.count(rest))\(isOpen ? " or more" : "") others"]
    }

    private static func more(_ words: [String]) -> String? {
        guard let last = words.last, let bracket = last.lastIndex(of: "[") else { return nil }
        return last[...bracket] + "…"
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
