import TelltaleClient
import TelltaleProtocol

/// The completions of the words that a shell has made of a half-typed line.
struct ShellCandidates {
    /// The words of the line, the half-typed one last.
    let words: [String]

    /// The role of the words before the last one.
    private var place: (isTargetTyped: Bool, target: String?, before: [String]) {
        var before = words.dropLast()[...]
        while let word = before.first, word.hasPrefix("-"), word != "-" {
            before = before.dropFirst()
            if ["--timeout", "--color", "--completion"].contains(word) {
                before = before.dropFirst()
            }
        }
        guard let first = before.first else { return (false, nil, []) }
        if Commands.isCommand(first) { return (true, nil, Array(before)) }
        return (true, first, Array(before.dropFirst()))
    }

    private var last: String { words.last ?? "" }

    /// - Parameters:
    ///   - services: Names of the reachable services; asked for only if one can stand there.
    ///   - complete: Asks the agent of a target.
    /// - Returns: Whole words, in the order in which they are shown.
    func all(
        services: () -> [String], complete: (_ target: String?, HalfTypedLine) -> Completion
    ) -> [String] {
        let place = place
        if let option = words.dropLast().last {
            switch option {
            case "--color": return beginnings(["auto", "always", "never"])
            case "--completion": return beginnings(["bash", "zsh", "fish"])
            case "--timeout": return []
            default: break
            }
        }
        guard place.isTargetTyped else {
            if last.hasPrefix("-") { return beginnings(Options.names + ["--json=lines"]) }
            return beginnings(services() + ["wait"] + Commands.words)
        }
        if place.target == Invocation.wait {
            return place.before.isEmpty ? beginnings(services() + ["--for"]) : beginnings(["--for"])
        }
        let line = (place.before + [last]).joined(separator: " ")
        let start = line.utf8.count - last.utf8.count
        switch complete(place.target, HalfTypedLine(text: line, start: start)) {
        case .words(let words): return words.filter { !$0.isHint }.map(\.word)
        case .files: return []
        }
    }

    private func beginnings(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { $0.hasPrefix(last) && seen.insert($0).inserted }
    }
}
