#if TELLTALE_COMPILED
extension LiteralParser {
    /// Numbers as Swift writes them, and as `Double` describes itself.
    mutating func number() throws(CommandFailure) -> Literal {
        let start = scanner.offset
        var sign = ""
        if scanner.skip("-") { sign = "-" } else { _ = scanner.skip("+") }
        if let digit = scanner.peek(), ("1"..."9").contains(digit) {
            return try decimal(sign, start)
        }
        if scanner.skip("infinity") || scanner.skip("inf") {
            try endNumber(start)
            return .float(sign + "inf")
        }
        if scanner.skip("nan") {
            try endNumber(start)
            return .float("nan")
        }
        if scanner.skip("0x") || scanner.skip("0X") {
            return try hexadecimal(sign, start)
        }
        if scanner.skip("0b") || scanner.skip("0B") {
            let text = digits(radix: 2)
            return try integer(sign, text, radix: 2, start)
        }
        if scanner.skip("0o") || scanner.skip("0O") {
            let text = digits(radix: 8)
            return try integer(sign, text, radix: 8, start)
        }
        return try decimal(sign, start)
    }

    private mutating func decimal(
        _ sign: String, _ start: Int
    ) throws(CommandFailure) -> Literal {
        var text = digits(radix: 10)
        guard !text.isEmpty else { throw malformed(start) }
        var isInteger = true
        // A dot belongs to the number only before a digit: `1..<2` is a range.
        if scanner.peek() == ".", let digit = scanner.peek(1), ("0"..."9").contains(digit) {
            _ = scanner.next()
            isInteger = false
            text += "." + digits(radix: 10)
        }
        if scanner.skip("e") || scanner.skip("E") {
            isInteger = false
            text += try exponent("e", start)
        }
        if isInteger { return try integer(sign, text, radix: 10, start) }
        return try float(sign + text, start)
    }

    private mutating func hexadecimal(
        _ sign: String, _ start: Int
    ) throws(CommandFailure) -> Literal {
        let whole = digits(radix: 16)
        guard !whole.isEmpty else { throw malformed(start) }
        var text = whole
        var isInteger = true
        if scanner.peek() == ".", let digit = scanner.peek(1), digit.properties.isASCIIHexDigit {
            _ = scanner.next()
            isInteger = false
            text += "." + digits(radix: 16)
        }
        if scanner.skip("p") || scanner.skip("P") {
            isInteger = false
            text += try exponent("p", start)
        } else if !isInteger {
            throw malformed(start)
        }
        if isInteger { return try integer(sign, whole, radix: 16, start) }
        return try float(sign + "0x" + text, start)
    }

    private mutating func exponent(
        _ letter: String, _ start: Int
    ) throws(CommandFailure) -> String {
        var text = letter
        if scanner.skip("-") { text += "-" } else { _ = scanner.skip("+") }
        let digits = digits(radix: 10)
        guard !digits.isEmpty else { throw malformed(start) }
        return text + digits
    }

    /// Digits without the underscores between them.
    private mutating func digits(radix: Int) -> String {
        var view = String.UnicodeScalarView()
        while let scalar = scanner.peek(), scalar.isASCII {
            if scalar == "_" {
                if view.isEmpty { break }
            } else {
                guard let digit = Character(scalar).hexDigitValue, digit < radix else { break }
                view.append(scalar)
            }
            _ = scanner.next()
        }
        return String(view)
    }

    private func integer(
        _ sign: String, _ digits: String, radix: Int, _ start: Int
    ) throws(CommandFailure) -> Literal {
        guard !digits.isEmpty else { throw malformed(start) }
        try endNumber(start)
        if radix == 10 {
            // A number for a Double or a Decimal may be wider than 128 bits; beyond the range of a
            // Double it would reach an action as infinity, which was not typed.
            let significant = digits.drop { $0 == "0" }
            guard significant.count <= 309,
                Double(significant.isEmpty ? "0" : significant)?
                    .isFinite ?? false
            else { throw scanner.failure("a number that no Double can hold", at: start) }
            return .integer(sign + (significant.isEmpty ? "0" : significant))
        }
        guard let number = UInt128(digits, radix: radix) else {
            throw scanner.failure("a number of more than 128 bits", at: start)
        }
        return .integer(sign + String(number))
    }

    private func float(_ text: String, _ start: Int) throws(CommandFailure) -> Literal {
        try endNumber(start)
        guard Double(text)?.isFinite ?? false else {
            throw scanner.failure("a number that no Double can hold", at: start)
        }
        return .float(text)
    }

    /// Nothing that could belong to a name or a number follows a number.
    private func endNumber(_ start: Int) throws(CommandFailure) {
        guard let scalar = scanner.peek() else { return }
        guard !NameFormat.canContinue(scalar), scalar != "." || scanner.peek(1) == "." else {
            throw malformed(start)
        }
    }

    private func malformed(_ start: Int) -> CommandFailure {
        scanner.failure(
            "not a number", at: start,
            hint: "Numbers are 12, -1.5, 2e10, 1_000, 0xFF and 0b101.")
    }
}
#endif
