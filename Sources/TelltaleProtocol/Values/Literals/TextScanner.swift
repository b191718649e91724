#if TELLTALE_COMPILED
/// A place in a text that was typed, and sentences about it.
struct TextScanner {
    let text: String
    private let scalars: [Unicode.Scalar]
    private(set) var offset = 0

    init(_ text: String, maximumBytes: Int) throws(CommandFailure) {
        guard text.utf8.count <= maximumBytes else {
            throw CommandFailure(
                .usage,
                "a text of \(Quantity.count(text.utf8.count)) bytes, "
                    + "\(Quantity.count(maximumBytes)) are allowed",
                hint: "Set or read it in parts.")
        }
        self.text = text
        scalars = Array(text.unicodeScalars)
    }

    var isAtEnd: Bool { offset >= scalars.count }

    func peek(_ ahead: Int = 0) -> Unicode.Scalar? {
        offset + ahead < scalars.count ? scalars[offset + ahead] : nil
    }

    mutating func next() -> Unicode.Scalar? {
        guard offset < scalars.count else { return nil }
        offset += 1
        return scalars[offset - 1]
    }

    mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == scalar else { return false }
        offset += 1
        return true
    }

    mutating func skip(_ word: String) -> Bool {
        let wanted = word.unicodeScalars
        for (ahead, scalar) in wanted.enumerated() where peek(ahead) != scalar { return false }
        offset += wanted.count
        return true
    }

    // The properties of a scalar are searched for, which costs more than the rest of a short path.
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return scalar.properties.isWhitespace }
        return scalar == " " || ("\t"..."\r").contains(scalar)
    }

    mutating func skipSpace() {
        while let scalar = peek(), Self.isSpace(scalar) { offset += 1 }
    }

    /// Goes back to a place where it was.
    mutating func rewind(to place: Int) { offset = min(max(place, 0), scalars.count) }

    func text(from start: Int) -> String {
        guard start < offset else { return "" }
        let text = scalars[start..<offset]
        // Byte by byte it takes a tenth of the time that a view of scalars does.
        guard text.allSatisfy(\.isASCII) else { return String(String.UnicodeScalarView(text)) }
        return String(unsafeUninitializedCapacity: text.count) { bytes in
            for (index, scalar) in text.enumerated() { bytes[index] = UInt8(scalar.value) }
            return text.count
        }
    }

    /// A name without backquotes or in them; `nil` if none begins.
    mutating func name() throws(CommandFailure) -> String? {
        guard let first = peek() else { return nil }
        if first == "`" { return try quoted() }
        guard NameFormat.canBegin(first) else { return nil }
        let start = offset
        while let scalar = peek(), NameFormat.canContinue(scalar) { offset += 1 }
        return text(from: start)
    }

    /// A failure that names the column of a place, here where none is given.
    func failure(_ message: String, at place: Int? = nil, hint: String? = nil) -> CommandFailure {
        let place = min(max(place ?? offset, 0), scalars.count)
        let (before, behind) = around(place)
        return CommandFailure(
            .usage, "column \(column(of: place)) of '\(before + behind)': \(message)", hint: hint)
    }

    /// A failure whose hint is the text with a mark below a place.
    func marked(
        _ code: CommandFailure.Code, _ message: String, at place: Int
    ) -> CommandFailure {
        let place = min(max(place, 0), scalars.count)
        let (before, behind) = around(place)
        let mark = String(repeating: " ", count: before.columns) + "^"
        return CommandFailure(
            code, "column \(column(of: place)): \(message)", hint: before + behind + "\n" + mark)
    }

    private func column(of place: Int) -> Int {
        var before = String.UnicodeScalarView()
        before.append(contentsOf: scalars[..<place])
        return String(before).count + 1
    }

    /// The text before and after an index; a long text is shown around it.
    private func around(_ place: Int) -> (before: String, behind: String) {
        let isLong = scalars.count > 80
        let lower = isLong ? max(0, place - 40) : 0
        let upper = isLong ? min(scalars.count, place + 20) : scalars.count
        func shown(_ range: Range<Int>) -> String {
            var part = String.UnicodeScalarView()
            part.append(contentsOf: scalars[range])
            return String(Literal.escaped(String(part), quote: "'").dropFirst().dropLast())
        }
        return (
            (lower > 0 ? "…" : "") + shown(lower..<place),
            shown(place..<upper) + (upper < scalars.count ? "…" : "")
        )
    }

    /// The word or the character at this position, for a sentence.
    var found: String {
        guard let scalar = peek() else { return "the end" }
        var word = String(Character(scalar)).unicodeScalars
        guard NameFormat.canBegin(scalar) else { return Literal.escaped(String(word), quote: "'") }
        while word.count < 20, let next = peek(word.count), NameFormat.canContinue(next) {
            word.append(next)
        }
        return Literal.escaped(String(word), quote: "'")
    }
}

// MARK: - Quoted texts

extension TextScanner {
    /// A text in quotes of the kind found here, with Swift's and JSON's escapes.
    mutating func quoted() throws(CommandFailure) -> String {
        let start = offset
        guard let quote = next() else { throw failure("a quote is missing") }
        var out = String.UnicodeScalarView()
        while let scalar = next() {
            switch scalar {
            case quote: return String(out)
            case "\\": out.append(try escape())
            default: out.append(scalar)
            }
        }
        let what = quote == "`" ? "a name" : "a string"
        throw failure(
            "\(what) begins here and has no end", at: start,
            hint: "Close it with \(quote), and write \\\(quote) for one inside.")
    }

    private mutating func escape() throws(CommandFailure) -> Unicode.Scalar {
        let start = offset - 1
        switch next() {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "0": return "\0"
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case let other? where "\"'`\\/".unicodeScalars.contains(other): return other
        case "u": return try unicode(start)
        case "(":
            throw failure(
                "a value can't be computed: \\( is not known here", at: start,
                hint: "Write \\\\( for a backslash and a parenthesis.")
        default:
            throw failure(
                "no such escape", at: start,
                hint:
                    "Known are \\n \\r \\t \\0 \\\" \\\\ \\u{1F600} and \\u00E9; write \\\\ for a backslash."
            )
        }
    }

    private mutating func unicode(_ start: Int) throws(CommandFailure) -> Unicode.Scalar {
        if skip("{") {
            let value = hexadecimal(atMost: 8)
            if let value, skip("}"), let scalar = Unicode.Scalar(value) { return scalar }
        } else if let unit = hexadecimal(exactly: 4) {
            if let scalar = Unicode.Scalar(unit) { return scalar }
            if unit < 0xDC00, skip("\\u"), let low = hexadecimal(exactly: 4),
                low & 0xFC00 == 0xDC00,
                let scalar = Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF)
            {
                return scalar
            }
        }
        throw failure(
            "no such character", at: start,
            hint: "Write \\u{…} with up to six hexadecimal digits, or \\u with four.")
    }

    private mutating func hexadecimal(exactly count: Int) -> UInt32? {
        let start = offset
        let value = hexadecimal(atMost: count)
        return offset - start == count ? value : nil
    }

    private mutating func hexadecimal(atMost count: Int) -> UInt32? {
        let start = offset
        var value: UInt32 = 0
        while offset - start < count, let scalar = peek(), scalar.isASCII,
            let digit = Character(scalar).hexDigitValue
        {
            value = value << 4 | UInt32(digit)
            offset += 1
        }
        return offset > start ? value : nil
    }
}
#endif
