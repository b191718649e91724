#if TELLTALE_COMPILED
/// A cursor over the words typed after a command's name, taken from the front. Words left over at
/// the end are unexpected arguments.
package struct CommandArguments {
    /// The command, for the failures.
    let command: CommandDescription
    /// The complete text, without spaces around it.
    private let raw: String
    /// The words that were not taken yet.
    private var words: [String]
    /// The same words with the quotes that they were typed in.
    private var quoted: [String]

    init(_ command: CommandDescription, raw: some StringProtocol) {
        self.command = command
        let line = TypedLine(String(raw))
        self.raw = line.text
        words = line.words
        quoted = line.quotedWords
    }

    /// Takes arguments from a shell, which has made words of them.
    init(_ command: CommandDescription, words: [String]) {
        self.command = command
        raw = words.joined(separator: " ")
        self.words = words
        quoted = words
    }

    /// Takes the complete text.
    mutating func takeAll() -> String {
        words = []
        quoted = []
        return raw
    }

    /// Takes all words that are not options, with their quotes, as one text: `items where size >
    /// 3`. A word of a minus without a letter is not an option.
    mutating func expression(_ what: String) throws(CommandFailure) -> String {
        var taken: [String] = []
        var left: [Int] = []
        for (index, word) in words.enumerated() where !word.isEmpty {
            if word.hasPrefix("--")
                || word.hasPrefix("-") && word.dropFirst().first?.isLetter == true
            {
                left.append(index)
            } else {
                taken.append(quoted[index])
            }
        }
        words = left.map { words[$0] }
        quoted = left.map { quoted[$0] }
        // The failure of an unknown option says more than that of the words after it.
        try end()
        guard !taken.isEmpty else {
            throw command.usage("\(command.name) needs \(what)")
        }
        // A path and a word that computes nothing with it.
        if taken.count > 1, !CommandLineParser.goesOn(taken[1]), !taken[1].hasPrefix("-"),
            (try? ValuePath(parsing: taken[0])) != nil
        {
            if let clause = Self.clauses[taken[1].lowercased()] {
                throw command.usage("'\(taken[1])' is not a clause; did you mean `\(clause)`?")
            }
            throw command.usage("unexpected argument '\(taken[1])'")
        }
        return taken.joined(separator: " ")
    }

    /// The words of other query languages, and ours.
    private static let clauses = [
        "order": "sorted by", "orderby": "sorted by", "sort": "sorted by", "sortby": "sorted by",
        "filter": "where", "having": "where", "limit": "first", "take": "first", "top": "first",
        "head": "first", "tail": "last",
    ]

    /// Takes an option without a value: `true` if it is present, `nil` otherwise.
    mutating func flag(_ name: String) -> Bool? {
        guard words.contains(name) else { return nil }
        keep { $0 != name }
        return true
    }

    /// Takes an option and its value: `--depth 2` or `--depth=2`. The last one counts; `nil` if it
    /// is absent.
    mutating func option(_ names: String..., needs what: String) throws(CommandFailure)
        -> String?
    {
        var value: String?
        // One pass: a line of a megabyte has space for 100,000 options, and removing each from the
        // middle of the words would move all words after it.
        var left: [String] = []
        var leftQuoted: [String] = []
        var index = 0
        while index < words.count {
            let word = words[index]
            index += 1
            guard names.contains(where: { word == $0 || word.hasPrefix($0 + "=") }) else {
                left.append(word)
                leftQuoted.append(quoted[index - 1])
                continue
            }
            var given = ""
            if let equals = word.firstIndex(of: "=") {
                given = String(word[word.index(after: equals)...])
            } else if index < words.count {
                given = words[index]
                index += 1
            }
            guard !given.isEmpty else {
                throw command.usage("\(word) of \(command.name) needs \(what) after it")
            }
            value = given
        }
        words = left
        quoted = leftQuoted
        return value
    }

    /// Takes an option whose value is a count from 0; `nil` if it is absent.
    mutating func count(_ name: String) throws(CommandFailure) -> Int? {
        guard let text = try option(name, needs: "a number") else { return nil }
        guard let count = Int(text), count >= 0 else {
            throw command.usage(
                "\(name) of \(command.name) needs a number from 0, not '\(text)'")
        }
        return count
    }

    /// Takes the next word that is not an option; `nil` if there is none.
    mutating func optionalWord() -> String? {
        guard let index = words.firstIndex(where: { !$0.isEmpty && !$0.hasPrefix("-") }) else {
            return nil
        }
        quoted.remove(at: index)
        return words.remove(at: index)
    }

    /// Takes all words that are not options, at once: a line of a megabyte has space for 500,000.
    mutating func allWords() -> [String] {
        let taken = words.filter { !$0.isEmpty && !$0.hasPrefix("-") }
        keep { $0.hasPrefix("-") }
        return taken
    }

    /// Takes them with the quotes that they were typed in.
    mutating func allTypedWords() -> [String] {
        let taken = words.indices.filter { !words[$0].isEmpty && !words[$0].hasPrefix("-") }
            .map { quoted[$0] }
        keep { $0.hasPrefix("-") }
        return taken
    }

    /// The next word that is not an option; it is not taken.
    var firstWord: String? { words.first { !$0.isEmpty && !$0.hasPrefix("-") } }

    /// Returns whether one of the named options is among the words not taken yet.
    func hasOption(among names: [String]) -> Bool {
        words.contains { word in names.contains { word == $0 || word.hasPrefix($0 + "=") } }
    }

    /// Takes all that is left as one line, with its quotes.
    mutating func takeRest() -> String {
        defer {
            words = []
            quoted = []
        }
        return quoted.joined(separator: " ")
    }

    private mutating func keep(_ isKept: (String) -> Bool) {
        let kept = words.indices.filter { isKept(words[$0]) }
        quoted = kept.map { quoted[$0] }
        words = kept.map { words[$0] }
    }

    /// Takes the next word that is not an option; without one, the failure names the expected kind,
    /// `a path`.
    mutating func word(_ what: String) throws(CommandFailure) -> String {
        if let word = optionalWord() { return word }
        if words.isEmpty { throw command.usage("\(command.name) needs \(what)") }
        try end()
        throw command.usage("\(command.name) needs \(what)")
    }

    /// Requires that all words were taken; the failure names the first unexpected one.
    func end() throws(CommandFailure) {
        guard let word = words.first(where: { !$0.isEmpty }) else { return }
        if word.hasPrefix("-") {
            let typed = word.prefix { $0 != "=" }
            let near = NearestNames.of(typed, among: command.options).joined(separator: " or ")
            throw command.usage(
                "\(command.name) has no option '\(word)'"
                    + (near.isEmpty ? "" : "; did you mean \(near)?"))
        }
        throw command.usage("unexpected argument '\(word)'")
    }
}

// Arguments that several commands share.
extension CommandArguments {
    /// Takes the names of properties, `--fields title,size`; `nil` if the option is absent.
    mutating func fields() throws(CommandFailure) -> [String]? {
        guard let text = try option("--fields", needs: "names, such as title,size") else {
            return nil
        }
        return text.split(separator: ",").map { $0.trimmed }.filter { !$0.isEmpty }
    }

    /// Takes a queue: its label, the end of it, or its address, as it was typed.
    mutating func queue() throws(CommandFailure) -> String {
        try word("the label of a queue; `queues` lists them")
    }

    /// Takes an option whose value is a time within the bounds of the command, in seconds: `5s`, `500ms`, `2m`,
    /// or seconds without a unit; `nil` if the option is absent.
    mutating func time(
        _ name: String, within bounds: ClosedRange<Double> = 0.01...86_400
    ) throws(CommandFailure) -> Double? {
        guard let text = try option(name, needs: "a time: 5s, 500ms, 2m") else { return nil }
        guard let seconds = TypedTime.seconds(text), bounds.contains(seconds) else {
            let (least, most) = (bounds.lowerBound, bounds.upperBound)
            throw command.usage(
                "\(name) of \(command.name) needs a time from \(TypedTime.text(least)) to "
                    + "\(TypedTime.text(most)), not '\(text)'")
        }
        return seconds
    }
}

package enum TypedTime {
    private static let units: [(name: String, seconds: Double)] = [
        ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3_600),
    ]

    /// A bound as it would be typed: `10ms`, `60s`, `10m`, `24h`.
    static func text(_ seconds: Double) -> String {
        let unit =
            units.last { seconds / $0.seconds >= 1 && ($0.name != "m" || seconds > 60) } ?? units[0]
        return "\(Int((seconds / unit.seconds).rounded()))\(unit.name)"
    }

    /// The seconds of `5s`, `500ms`, `1.5s`, `2m`, `1h`, or of a number without a unit; nil for
    /// anything else.
    package static func seconds(_ text: String) -> Double? {
        let unit = units.first { text.hasSuffix($0.name) } ?? ("", 1)
        let digits = text.dropLast(unit.name.count)
        // `Double` also reads `0x1p4`, `inf` and `nan`, which are never meant here.
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }),
            let number = Double(digits)
        else { return nil }
        return number * unit.seconds
    }
}
#endif
