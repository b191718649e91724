import TelltaleProtocol

/// Where in a half-typed line the cursor stands, and what can stand there.
struct CompletionPlace: Equatable {
    /// What can stand at the cursor.
    enum Kind: Equatable {
        case nothing
        case files
        case words([String])
        /// A path; at the start of a line also a command.
        case paths(orCommands: Bool)
        /// A name that the agent knows, of queues or threads; or one of the words.
        case names(of: String, or: [String])
    }

    var kind: Kind
    /// The half-typed word.
    var word: String
    /// The byte of the line at which it begins.
    var start: Int

    init(_ line: String) {
        let words = Self.split(line)
        let last = words.last ?? Word(text: "", start: line.utf8.count)
        word = last.text
        start = last.start
        kind = Self.kind(words.dropLast().map(\.text), last.text)
    }

    private static func kind(_ before: [String], _ word: String) -> Kind {
        guard let first = before.first else { return .paths(orCommands: true) }
        // Behind a path only `=` and a value can stand, and a value can't be guessed.
        guard let command = CommandTable.command(named: first) else { return .nothing }
        if before.last == "--output" || before.last == "-o" { return .files }
        if word.hasPrefix("-") { return .words(command.options) }
        switch command.name {
        case "show": return .paths(orCommands: false)
        case "get", "set", "call":
            return before.count == 1 ? .paths(orCommands: false) : .nothing
        case "queue", "suspend", "resume":
            return before.count == 1 ? .names(of: "queue", or: []) : .nothing
        case "stack":
            return .names(of: "thread", or: before.count == 1 ? ["main", "all"] : [])
        case "watch":
            return before.count == 1
                ? .words(["stuck"]) : before.count == 2 ? .words(["off"]) : .nothing
        case "cancel":
            if before.count == 1 { return .words(["task", "operation", "item"]) }
            return before.count == 2 && before.last == "item"
                ? .names(of: "queue", or: []) : .nothing
        case "help": return before.count == 1 ? .words(Commands.words) : .nothing
        default: return .nothing
        }
    }

    private struct Word {
        var text: String
        var start: Int
    }

    /// The words of a line; the last one is empty behind a space. Spaces in quotes and brackets end
    /// none, so that `cache["a b"]` is one.
    private static func split(_ line: String) -> [Word] {
        var words: [Word] = []
        var bytes: [UInt8] = []
        var start = 0
        var depth = 0
        var quote: UInt8?
        var isEscaped = false
        for (offset, byte) in line.utf8.enumerated() {
            if byte == 32 || byte == 9, quote == nil, depth == 0 {
                if !bytes.isEmpty {
                    words.append(Word(text: String(decoding: bytes, as: UTF8.self), start: start))
                }
                bytes = []
                start = offset + 1
                continue
            }
            bytes.append(byte)
            if isEscaped {
                isEscaped = false
            } else if let open = quote {
                if byte == UInt8(ascii: "\\") { isEscaped = true }
                if byte == open { quote = nil }
            } else {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "`"): quote = byte
                case UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "]"): depth = max(0, depth - 1)
                default: break
                }
            }
        }
        words.append(Word(text: String(decoding: bytes, as: UTF8.self), start: start))
        return words
    }
}
