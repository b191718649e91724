import TelltaleProtocol

/// The position of the cursor in a half-typed line, and the kind of text expected there.
struct HalfTypedPlace: Equatable {
    var kind: CompletionPlace
    var word: String
    /// The byte of the line at which it begins.
    var start: Int
    /// Indicates the line's first word: a path, or a command.
    var isFirst: Bool

    init(_ line: String) {
        if let call = HalfTypedCall(line) {
            kind = .argument(of: call.name, index: call.index)
            word = call.word
            start = call.start
            isFirst = false
            return
        }
        let words = Self.split(line)
        let last = words.last ?? Word(text: "", start: line.utf8.count)
        word = last.text
        start = last.start
        isFirst = words.count <= 1
        kind = Self.kind(words.dropLast().map(\.text), last.text)
    }

    /// Returns the words that begin with the half-typed word.
    func beginnings(among words: [String]) -> [String] { words.filter { $0.hasPrefix(word) } }

    /// The completions that need no agent.
    var commands: [String] {
        switch kind {
        case .words(let words): beginnings(among: words)
        case .command: beginnings(among: Commands.words)
        case .path: isFirst ? beginnings(among: Commands.words) : []
        case .pathOr(let words), .name(_, let words): beginnings(among: words)
        case .nothing, .file, .value, .argument: []
        }
    }

    static func kind(_ before: [String], _ word: String) -> CompletionPlace {
        guard let first = before.first else { return .path }
        guard let command = CommandTable.command(named: first) else {
            // Only `=` and a value can follow a path.
            return before.count == 2 && before[1] == "=" ? .value(of: first) : .nothing
        }
        let place = command.completion(after: Array(before.dropFirst()))
        return place != .file && word.hasPrefix("-")
            ? .words(command.description.options + ["--json"]) : place
    }

    struct Word {
        var text: String
        var start: Int
    }

    /// The words of a line; the last one is empty behind a space. Spaces in quotes and brackets end
    /// none, so that `cache["a b"]` is one.
    static func split(_ line: String) -> [Word] {
        var words: [Word] = []
        var bytes: [UInt8] = []
        var start = 0
        var depth = 0
        var quotes = TypedQuotes<Unicode.Scalar>()
        for (offset, byte) in line.utf8.enumerated() {
            if byte == 32 || byte == 9, !quotes.isOpen, depth == 0 {
                if !bytes.isEmpty {
                    words.append(Word(text: String(decoding: bytes, as: UTF8.self), start: start))
                }
                bytes = []
                start = offset + 1
                continue
            }
            bytes.append(byte)
            guard !quotes.takes(Unicode.Scalar(byte)) else { continue }
            switch byte {
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth = max(0, depth - 1)
            default: break
            }
        }
        words.append(Word(text: String(decoding: bytes, as: UTF8.self), start: start))
        return words
    }
}
