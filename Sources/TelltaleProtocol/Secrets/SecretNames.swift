#if TELLTALE_COMPILED
/// Decides whether a named value is a secret: the only judge, for the agent, the dump and the
/// client alike.
///
/// A name is that of a property, a tuple's label, an argument, a dictionary's key, a case, a
/// registration, the name in a name-and-value pair, or a parameter of a URL.
package struct SecretNames: Sendable {
    /// Facts about the value that belongs to a name.
    package enum Value: Sendable {
        /// `true` or `false`: it tells nothing of a secret.
        case truth
        /// A number: `tokens` is how many there are.
        case number
        case other
    }

    package enum Place: Sendable {
        /// In the host's source, or in its data.
        case anywhere
        /// In the query of a URL, where short names are usual: `code`, `sig`.
        case query
    }

    package static let standard = SecretNames()

    /// The maximum length of an examined name, in bytes; the value of a longer name is taken for a
    /// secret.
    package static let longestName = 4096

    // Joined words.
    private let additional: Set<String>
    private let longest: Int

    /// Makes a judge.
    ///
    /// - Parameter additional: Names that are secrets besides the usual ones; like these they
    ///   match whole words: `iban` matches `userIBAN` and `iban_hash`.
    package init(additional: [String] = []) {
        let added = additional.map(NameWords.split).filter { !$0.isEmpty }
        self.additional = Set(added.map { $0.joined() })
        longest = added.map(\.count).max() ?? 0
    }

    /// Indicates that there are names besides the usual ones.
    package var hasAdditional: Bool { !additional.isEmpty }

    /// Returns whether the value that belongs to a name is a secret.
    ///
    /// - Parameters:
    ///   - name: A name in camel, snake or kebab case, or any other text that is used as one.
    ///   - value: What is known of its value.
    ///   - place: The position of the name.
    /// - Returns: true for a secret, and for a name that is too long to be examined.
    /// - Complexity: Linear in the name's length, which is bounded.
    package func matches(
        _ name: String, value: Value = .other, in place: Place = .anywhere
    ) -> Bool {
        guard name.utf8.count <= Self.longestName else { return true }
        let words = NameWords.split(name)
        // A configured name masks all of its values.
        if isAdditional(words) { return true }
        return Self.matches(words, value, place, isOneWord: !name.utf8.contains(32))
    }

    /// Returns whether a name is one of those besides the usual ones.
    package func matchesAdditional(_ name: String) -> Bool {
        guard hasAdditional else { return false }
        return name.utf8.count > Self.longestName || isAdditional(NameWords.split(name))
    }

    /// Returns whether a text names a secret anywhere: typed text that can't be read as a value.
    package func isNamed(in text: String) -> Bool {
        let isEdge: (Character) -> Bool = {
            !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-")
        }
        return text.split(whereSeparator: isEdge).contains { matches(String($0)) }
    }

    private func isAdditional(_ words: [String]) -> Bool {
        guard hasAdditional else { return false }
        return Self.runs(of: words, longest: longest) { additional.contains($0) }
    }

    private static func matches(
        _ words: [String], _ value: Value, _ place: Place, isOneWord: Bool
    ) -> Bool {
        if value == .truth { return false }
        var rest = words[...]
        // `token2`, `cvv_1`
        while rest.count > 1, let last = rest.last, last.first?.isNumber == true {
            rest.removeLast()
        }
        guard let last = rest.last, let first = rest.first else { return false }
        if isNumber(of: last, after: first, isAlone: rest.count == 1, value) { return false }
        if runs(of: words, longest: SecretWords.longest, where: SecretWords.names.contains) {
            return true
        }
        if words.contains(where: isFused) { return true }
        if rest.count == 1, SecretWords.whole.contains(last) { return true }
        if SecretWords.stores.contains(last) || SecretWords.stores.contains(rest.suffix(2).joined())
        {
            return true
        }
        if place == .query, SecretWords.inQueries.contains(last) { return true }
        // `key 12` is the twelfth of some keys of a dictionary, `key2` the second key.
        guard let harmless = SecretWords.atTheEnd[last], rest.count == words.count || isOneWord
        else { return false }
        return rest.count == 1 || !harmless.contains(rest[rest.endIndex - 2])
    }

    /// Returns whether a name stands for a number of secrets, or for their lifetime.
    private static func isNumber(
        of last: String, after first: String, isAlone: Bool, _ value: Value
    ) -> Bool {
        let isPlural = last.hasSuffix("s") && !last.hasSuffix("ss")
        if value == .number, isPlural || SecretWords.facts.contains(last) { return true }
        guard !isAlone else { return false }
        return SecretWords.amounts.contains(last)
            || isPlural && SecretWords.bounds.contains(first)
    }

    /// Returns whether a condition holds for some neighbouring words, joined.
    private static func runs(
        of words: [String], longest: Int, where isMatch: (String) -> Bool
    ) -> Bool {
        for start in words.indices {
            var run = ""
            for word in words[start...].prefix(longest) {
                run += word
                if isMatch(run) { return true }
            }
        }
        return false
    }

    private static func isFused(_ word: String) -> Bool {
        guard word.utf8.count > 4, !SecretWords.harmless.contains(word) else { return false }
        if SecretWords.fused.contains(word) { return true }
        guard word.utf8.count > 6 else { return false }
        if SecretWords.endings.contains(where: word.hasSuffix) { return true }
        let bytes = Array(word.utf8)
        return SecretWords.stems.contains { stem in
            bytes.count >= stem.count
                && (0...(bytes.count - stem.count)).contains { start in
                    bytes[start] == stem[0] && bytes[start...].starts(with: stem)
                }
        }
    }
}
#endif
