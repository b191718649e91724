import TelltaleClient
import TelltaleProtocol

/// The completions of a half-typed line: commands from the table, paths from the live object graph.
final class Completer {
    /// The time limit of the agent; typing must not be delayed longer.
    static let timeout: Duration = .milliseconds(250)

    private let link: AgentLink
    /// The words that can stand for a command besides the commands, at present.
    private let words: () -> [String]

    init(link: AgentLink, words: @escaping () -> [String] = { [] }) {
        self.link = link
        self.words = words
    }

    /// With the terminal's columns and rows as its size, where there is one: types are shown only there.
    func complete(_ line: HalfTypedLine, size: (columns: Int, rows: Int)? = nil) -> Completion {
        let place = HalfTypedPlace(line.text)
        var list = CandidateList(words: [], types: [])
        switch place.kind {
        case .nothing: break
        case .file: return .files
        case .words: list.add(place.commands)
        case .command: list.add(commands(place))
        case .path, .pathOr:
            list.add(place.isFirst ? commands(place) : place.commands)
            list.add(candidates(CompleteCommand.Parameters(path: place.word)))
            list.stem = CandidateList.stem(of: place.word)
        case .name(let kind, _):
            list.add(place.commands)
            list.add(candidates(CompleteCommand.Parameters(path: place.word, of: kind)))
        case .value(let path):
            list.add(candidates(CompleteCommand.Parameters(valuesOf: path)), beginning: place.word)
            list.keepFromInserting("nil", after: place.word)
        case .argument(let call, let index):
            let all = candidates(CompleteCommand.Parameters(argument: index, of: call))
            list.add(all, beginning: place.word)
            // The call's signature is shown as long as nothing of the argument is typed.
            if place.word.isEmpty { list.hints = all.hints }
            list.keepFromInserting("nil", after: place.word)
        }
        list.sumUp(Self.mostElements)
        let shown = size.map { list.shown(columns: $0.columns, rows: $0.rows) } ?? list.words
        let fitting = Self.fitting(list.words, place, line)
        return .words(
            zip(fitting, shown).compactMap { word, shown in
                word.map { Candidate($0, shown: size == nil ? nil : shown) }
            } + list.hints.map { .hint($0) })
    }

    private func commands(_ place: HalfTypedPlace) -> [String] {
        let own = place.beginnings(among: words())
        return own.isEmpty ? place.commands : (place.commands + own).sorted()
    }

    private func candidates(_ parameters: CompleteCommand.Parameters) -> CandidateList {
        guard let connection = link.current else { return CandidateList() }
        let answer = try? link.use { _ throws(CommandFailure) in
            try connection.answer(to: CompleteCommand.self, parameters, limit: Self.timeout)
        }
        guard let answer else { return CandidateList() }
        var list = CandidateList()
        for (index, word) in answer.candidates.map(\.escaped).enumerated() {
            // Nothing that a session would take for the end of the command.
            guard word.isOneCommand else { continue }
            let types = answer.types ?? []
            list.words.append(word)
            list.types.append(types.indices.contains(index) ? types[index].escaped : "")
        }
        list.hints = (answer.hints ?? []).map(\.escaped)
        // There are more than the agent sends; how many, only the last of them can tell.
        if answer.isCut, let more = Self.more(list.words) { list.add([more]) }
        return list
    }

    /// More elements of a collection than these are summed up.
    private static let mostElements = 20

    private static func more(_ words: [String]) -> String? {
        guard let last = words.last, let bracket = last.lastIndex(of: "[") else { return nil }
        return last[...bracket] + "…"
    }

    /// The editor's word begins later than the path where the path has a space in a key, so that only
    /// the end of a candidate takes its place.
    private static func fitting(
        _ words: [String], _ place: HalfTypedPlace, _ line: HalfTypedLine
    ) -> [String?] {
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
        return words.map { word in
            word.utf8.starts(with: typed)
                ? String(decoding: word.utf8.dropFirst(ahead), as: UTF8.self) : nil
        }
    }
}
