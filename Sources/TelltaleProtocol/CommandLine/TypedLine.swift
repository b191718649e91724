#if TELLTALE_COMPILED
/// A line as it was typed, and where in it brackets and strings end.
///
/// A space or a `=` inside of brackets, a string or backquotes belongs to a path:
/// `cache["a = b"]` is one word and no assignment.
struct TypedLine {
    /// The line without white space around it.
    let text: String
    /// The positions of the spaces, `=` and `(` outside of brackets and strings.
    private var spaces: [String.Index] = []
    private(set) var firstParenthesis: String.Index?
    private(set) var assignment: String.Index?
    /// The closing bracket of the first opening parenthesis.
    private(set) var closingParenthesis: String.Index?

    init(_ line: String) {
        text = line.trimmed
        scan()
    }

    /// The words, apart by spaces outside of brackets and strings. A word that is a string and
    /// nothing else, such as a file's name with a space, is given without its quotes.
    var words: [String] { parts.map(Self.unquoted) }

    /// The same words with their quotes.
    var quotedWords: [String] { parts.map { String($0) } }

    private var parts: [Substring] {
        var words: [Substring] = []
        var start = text.startIndex
        for end in spaces + [text.endIndex] {
            if start < end { words.append(text[start..<end]) }
            start = end < text.endIndex ? text.index(after: end) : end
        }
        return words
    }

    /// Indicates that the line has more than one word.
    var hasSpaces: Bool { !spaces.isEmpty }

    /// The first word with its quotes, and the text after it.
    var head: (word: Substring, rest: Substring) {
        guard let space = spaces.first else { return (text[...], text[text.endIndex...]) }
        return (text[..<space], text[space...])
    }

    private static func unquoted(_ word: Substring) -> String {
        guard word.count >= 2, word.first == "\"", word.last == "\"",
            !word.contains("\\"), !word.dropFirst().dropLast().contains("\"")
        else { return String(word) }
        return String(word.dropFirst().dropLast())
    }

    private mutating func scan() {
        var quotes = TypedQuotes<Unicode.Scalar>()
        var depth = 0
        var previous: Unicode.Scalar = " "
        let scalars = text.unicodeScalars
        for index in scalars.indices {
            let scalar = scalars[index]
            defer { previous = scalar }
            guard !quotes.takes(scalar) else { continue }
            switch scalar {
            case "[", "{", "(":
                if scalar == "(", depth == 0, firstParenthesis == nil {
                    firstParenthesis = index
                }
                depth += 1
            case "]", "}", ")":
                depth = max(0, depth - 1)
                if scalar == ")", depth == 0, firstParenthesis != nil, closingParenthesis == nil {
                    closingParenthesis = index
                }
            case "=" where depth == 0 && assignment == nil:
                let next = scalars.index(after: index)
                let isDoubled = next < scalars.endIndex && scalars[next] == "="
                if !isDoubled, !["=", "!", "<", ">"].contains(previous) { assignment = index }
            case _ where depth == 0 && scalar.properties.isWhitespace: spaces.append(index)
            default: break
            }
        }
    }
}

/// Follows the strings and backquotes of a line, mark by mark.
package struct TypedQuotes<Mark: Equatable & ExpressibleByUnicodeScalarLiteral> {
    private var open: Mark?
    private var isEscaped = false

    package init() {}

    /// Indicates that one is not closed.
    package var isOpen: Bool { open != nil }

    /// Takes the next mark. Returns whether it belongs to a quoted text, with its quotes.
    package mutating func takes(_ mark: Mark) -> Bool {
        if isEscaped {
            isEscaped = false
        } else if let open {
            isEscaped = mark == "\\"
            if mark == open { self.open = nil }
        } else if mark == "\"" || mark == "`" {
            open = mark
        } else {
            return false
        }
        return true
    }
}

extension StringProtocol {
    /// The text without white space around it.
    package var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
#endif
