#if TELLTALE_COMPILED
package enum NearestNames {
    /// Words longer than this have no nearest name; it bounds the work of one mistyped line.
    private static let longest = 64

    /// The names that a word is a typing error or a beginning of, nearest first. It takes O(names ×
    /// length²), with words of at most 64 characters.
    package static func of(
        _ word: some StringProtocol, among names: some Sequence<String>, limit: Int = 3
    ) -> [String] {
        let typed = Array(word.lowercased())
        // One letter is near to every other one.
        guard typed.count > 1, typed.count <= longest else { return [] }
        // A third of the word may be wrong, so that a short word is not near to everything.
        let allowed = max(1, min(3, typed.count / 3))
        var found: [(name: String, distance: Int)] = []
        for name in names {
            let candidate = Array(name.lowercased())
            guard candidate.count <= longest else { continue }
            let distance = distance(typed, candidate)
            if distance <= allowed || candidate.starts(with: typed) {
                found.append((name, distance))
            }
        }
        // The sort of the standard library keeps the order of equal ones.
        return found.sorted { $0.distance < $1.distance }.prefix(max(0, limit)).map(\.name)
    }

    /// Returns a question that offers the nearest names; `nil` if no name is near.
    package static func question(_ word: String, among names: some Sequence<String>) -> String? {
        let near = of(word, among: names)
        return near.isEmpty ? nil : "did you mean \(near.joined(separator: ", "))?"
    }

    /// Returns the edit distance: insertions, deletions, substitutions and swaps of neighbours.
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        guard !one.isEmpty, !other.isEmpty else { return max(one.count, other.count) }
        var before: [Int] = []
        var above = Array(0...other.count)
        for row in 1...one.count {
            var line = [row]
            for column in 1...other.count {
                let isSame = one[row - 1] == other[column - 1]
                var best = min(above[column], line[column - 1]) + 1
                best = min(best, above[column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, one[row - 1] == other[column - 2],
                    one[row - 2] == other[column - 1]
                {
                    best = min(best, before[column - 2] + 1)
                }
                line.append(best)
            }
            (before, above) = (above, line)
        }
        return above[other.count]
    }
}
#endif
