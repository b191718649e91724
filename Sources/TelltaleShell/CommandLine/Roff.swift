/// Parts of a manual page in roff, as `man` reads it: filled at any width.
enum Roff {
    /// A line of text that roff prints unchanged; words in backticks are bold.
    static func text(_ text: String) -> String {
        let isMarked = text.count { $0 == "`" } % 2 == 0
        var (out, isBold) = ("", false)
        for character in text {
            switch character {
            case "`" where isMarked:
                isBold.toggle()
                out += isBold ? "\\fB" : "\\fR"
            case "\\": out += "\\e"
            case "-": out += "\\-"
            case "'": out += "\\(aq"
            case "`": out += "\\(ga"
            case "\"": out += "\\(dq"
            case "^": out += "\\(ha"
            case "~": out += "\\(ti"
            default:
                guard let scalar = character.unicodeScalars.first, !scalar.isASCII else {
                    out.append(character)
                    continue
                }
                let digits = String(scalar.value, radix: 16, uppercase: true)
                out +=
                    "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
            }
        }
        return out.hasPrefix(".") ? "\\&" + out : out
    }

    /// A bold head, and a text indented below it.
    static func item(_ head: String, _ body: [String]) -> [String] {
        [".TP", ".B \(text(head))"] + body
    }

    /// Items below each other, without lines between them.
    static func list(_ items: [(head: String, body: String)]) -> [String] {
        [".PD 0"] + items.flatMap { item($0.head, [text($0.body)]) } + [".PD"]
    }

    /// A command's detail, which is written for a terminal: its prose is one paragraph, and lines with two
    /// columns become items.
    static func detail(_ detail: String) -> [String] {
        var parts: [Part] = []
        for line in detail.split(separator: "\n").map(String.init) {
            let indent = line.prefix { $0 == " " }.count
            let words = String(line.dropFirst(indent))
            switch (parts.last, columns(of: words)) {
            case (.entry(let head, let body)?, _) where indent >= continued:
                parts[parts.count - 1] = .entry(head, body + " " + words)
            case (_, let (head, body)?) where indent == 0:
                parts.append(.entry(head, body))
            case (_, _) where indent > 0:
                parts.append(.sample(words))
            case (.prose(let prose)?, _):
                parts[parts.count - 1] = .prose(prose + " " + words)
            default:
                parts.append(.prose(words))
            }
        }
        return rendered(parts)
    }

    private enum Part {
        case prose(String)
        case entry(String, String)
        case sample(String)

        var isSample: Bool {
            if case .sample = self { true } else { false }
        }
    }

    /// The indentation from which a line continues the second column of the one above.
    private static let continued = 5

    /// Returns the two columns of a line; nil if it has one.
    private static func columns(of line: String) -> (String, String)? {
        guard let gap = line.firstRange(of: "  ") else { return nil }
        let body = line[gap.upperBound...].drop { $0 == " " }
        return (String(line[..<gap.lowerBound]), String(body))
    }

    private static func rendered(_ parts: [Part]) -> [String] {
        var (lines, depth, isBelowSample) = ([String](), 0, false)
        func set(_ wanted: Int) {
            if depth == 0, wanted == 1 { lines += [".RS", ".PD 0"] }
            if depth == 1, wanted == 0 { lines += [".RE", ".IP", ".PD"] }
            depth = wanted
        }
        for part in parts {
            defer { isBelowSample = part.isSample }
            switch part {
            case .prose(let prose):
                set(0)
                lines += (isBelowSample ? [".br"] : []) + [text(prose)]
            case .entry(let head, let body):
                set(1)
                lines += item(head, [text(body)])
            case .sample(let sample):
                set(0)
                lines += [".br", "\\ \\ \(text(sample))"]
            }
        }
        set(0)
        return lines
    }
}
