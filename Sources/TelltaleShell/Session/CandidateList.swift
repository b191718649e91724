import TelltaleProtocol

/// Candidates with their types beside them, where a terminal has room for that.
struct CandidateList {
    var words: [String] = []
    /// The type of each word; empty for a word without one.
    var types: [String] = []
    /// The text below the candidates.
    var hints: [String] = []

    /// The common beginning that needs no repeating: the object whose parts they are.
    var stem = ""

    private static let separator = "  "

    /// The words as they are listed: with their types where the list then still fits on the screen, each line by
    /// itself, and the line that is typed below it.
    func shown(columns: Int, rows: Int) -> [String] {
        let words = words.map {
            $0.hasPrefix(stem) ? String($0.dropFirst(stem.count)) : $0
        }
        guard types.contains(where: { !$0.isEmpty }) else { return words }
        let widest = words.map(\.columns).max() ?? 0
        let entries = zip(words, types).map { word, type in
            guard !type.isEmpty else { return word }
            return (word.filled(to: widest) + Self.separator + type)
                .clipped(to: max(widest, columns - Self.separator.count))
        }
        // As the editor lays them out: as many beside one another as there is room for.
        let width = (entries.map(\.columns).max() ?? 0) + Self.separator.count
        let beside = max(1, columns / max(1, width))
        let lines = (entries.count + beside - 1) / beside + hints.count
        return lines < rows ? entries : words
    }

    /// The part of a half-typed path that its candidates share: with the dot at its end, and
    /// without the bracket.
    static func stem(of typed: String) -> String {
        let closed = typed.lastIndex(of: "]") ?? typed.startIndex
        if let open = typed.lastIndex(of: "["), open >= closed { return String(typed[..<open]) }
        return typed.lastIndex(of: ".").map { String(typed[...$0]) } ?? ""
    }

    mutating func add(_ more: [String]) {
        words += more
        types += more.map { _ in "" }
    }

    mutating func add(_ list: CandidateList, beginning prefix: String = "") {
        for (word, type) in zip(list.words, list.types) where word.hasPrefix(prefix) {
            words.append(word)
            types.append(type)
        }
    }

    /// Has a word that is the only one known, and not the only one possible, be shown before it is begun, and
    /// not typed.
    mutating func keepFromInserting(_ word: String, after typed: String) {
        guard typed.isEmpty, words == [word] else { return }
        hints.insert(word, at: 0)
        (words, types) = ([], [])
    }

    /// Shows elements beyond the maximum as one word, which can't be mistaken for one of them: no
    /// typed text continues it.
    mutating func sumUp(_ most: Int) {
        let elements = words.indices.filter { words[$0].hasSuffix("]") }
        guard elements.count > most, let last = elements.last else { return }
        let rest = elements.count - (most - 1)
        let stem = words[last][...(words[last].lastIndex(of: "[") ?? words[last].startIndex)]
        let isOpen = words.contains { $0.hasSuffix("…") }
        let dropped = Set(elements.dropFirst(most - 1))
        let kept = words.indices.filter { !dropped.contains($0) && !words[$0].hasSuffix("…") }
        types = kept.map { types[$0] } + [""]
        words =
            kept.map { words[$0] }
            + ["\(stem)…]  \(Quantity.count(rest))\(isOpen ? " or more" : "") others"]
    }
}
