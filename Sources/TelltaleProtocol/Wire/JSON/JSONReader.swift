#if TELLTALE_COMPILED
/// The parser's place in a text.
struct JSONReader {
    let bytes: UnsafeRawBufferPointer
    let maximumDepth: Int
    private var offset = 0

    init(bytes: UnsafeRawBufferPointer, maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    /// One value and nothing after it.
    mutating func document() throws(JSONFailure) -> JSONValue {
        let value = try value(depth: 0)
        skipSpace()
        if let byte = peek() { throw unexpected(byte, wanted: "the end") }
        return value
    }

    private func peek() -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            offset += 1
        }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        offset += 1
        return true
    }

    private func unexpected(_ byte: UInt8?, wanted: String) -> JSONFailure {
        guard let byte else {
            return JSONFailure(offset: offset, message: "the text ends instead of \(wanted)")
        }
        let shown =
            byte > 0x20 && byte < 0x7F
            ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x" + String(byte, radix: 16)
        return JSONFailure(offset: offset, message: "\(shown) instead of \(wanted)")
    }

    private mutating func value(depth: Int) throws(JSONFailure) -> JSONValue {
        skipSpace()
        switch peek() {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte):
            return try number()
        case let other: throw unexpected(other, wanted: "a value")
        }
    }

    private mutating func word(
        _ text: StaticString, _ value: JSONValue
    ) throws(JSONFailure) -> JSONValue {
        for index in 0..<text.utf8CodeUnitCount {
            guard skip(text.utf8Start[index]) else {
                throw unexpected(peek(), wanted: "'\(text)'")
            }
        }
        return value
    }

    private func checkDepth(_ depth: Int) throws(JSONFailure) {
        guard depth <= maximumDepth else {
            throw JSONFailure(
                offset: offset, message: "more than the \(maximumDepth) levels that are allowed"
            )
        }
    }

    private mutating func array(depth: Int) throws(JSONFailure) -> JSONValue {
        try checkDepth(depth)
        offset += 1
        skipSpace()
        var elements: [JSONValue] = []
        if skip(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            elements.append(try value(depth: depth))
            skipSpace()
            if skip(UInt8(ascii: ",")) { continue }
            guard skip(UInt8(ascii: "]")) else {
                throw unexpected(peek(), wanted: "',' or ']'")
            }
            return .array(elements)
        }
    }

    private mutating func object(depth: Int) throws(JSONFailure) -> JSONValue {
        try checkDepth(depth)
        offset += 1
        skipSpace()
        var members: [JSONMember] = []
        if skip(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipSpace()
            guard peek() == UInt8(ascii: "\"") else {
                throw unexpected(peek(), wanted: "a member's name")
            }
            let key = try string()
            skipSpace()
            guard skip(UInt8(ascii: ":")) else { throw unexpected(peek(), wanted: "':'") }
            members.append(JSONMember(key, try value(depth: depth)))
            skipSpace()
            if skip(UInt8(ascii: ",")) { continue }
            guard skip(UInt8(ascii: "}")) else {
                throw unexpected(peek(), wanted: "',' or '}'")
            }
            return .object(members)
        }
    }
}

// MARK: - Strings

extension JSONReader {
    private mutating func string() throws(JSONFailure) -> String {
        offset += 1
        let start = offset
        offset = ByteScan.endOfPlain(in: bytes, from: offset, asciiOnly: false)
        if peek() == UInt8(ascii: "\"") {
            let text = try text(start..<offset)
            offset += 1
            return text
        }
        // The rarer form: pieces between escapes. A character can't be split by an escape, so
        // every piece is valid by itself or not at all.
        var whole = try text(start..<offset)
        while true {
            switch peek() {
            case UInt8(ascii: "\""):
                offset += 1
                return whole
            case UInt8(ascii: "\\"):
                whole.unicodeScalars.append(try escape())
            case let byte:
                guard let byte, byte >= 0x20 else {
                    throw unexpected(byte, wanted: "the rest of a string")
                }
                let start = offset
                offset = ByteScan.endOfPlain(in: bytes, from: offset, asciiOnly: false)
                whole += try text(start..<offset)
            }
        }
    }

    private func text(_ range: Range<Int>) throws(JSONFailure) -> String {
        let piece = UnsafeRawBufferPointer(rebasing: bytes[range])
        // Nothing to be validated: a quarter of the time that a long answer takes to be read.
        if ByteScan.isASCII(piece) { return String(decoding: piece, as: UTF8.self) }
        if let text = String(validating: piece, as: UTF8.self) { return text }
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = piece.makeIterator()
        var place = range.lowerBound
        while case .valid(let scalar) = parser.parseScalar(from: &iterator) {
            place += scalar.count
        }
        throw JSONFailure(offset: place, message: "a string is not valid UTF-8")
    }

    private mutating func escape() throws(JSONFailure) -> Unicode.Scalar {
        let start = offset
        offset += 1
        let byte = peek()
        guard let byte else { throw unexpected(nil, wanted: "the rest of a string") }
        let simple: Unicode.Scalar? =
            switch byte {
            case UInt8(ascii: "\""): "\""
            case UInt8(ascii: "\\"): "\\"
            case UInt8(ascii: "/"): "/"
            case UInt8(ascii: "b"): "\u{8}"
            case UInt8(ascii: "f"): "\u{C}"
            case UInt8(ascii: "n"): "\n"
            case UInt8(ascii: "r"): "\r"
            case UInt8(ascii: "t"): "\t"
            default: nil
            }
        if let simple {
            offset += 1
            return simple
        }
        guard byte == UInt8(ascii: "u") else { throw unexpected(byte, wanted: "an escape") }
        offset += 1
        let unit = try hexadecimal()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        if unit < 0xDC00, skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) {
            let low = try hexadecimal()
            if low & 0xFC00 == 0xDC00,
                let scalar = Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF)
            {
                return scalar
            }
        }
        throw JSONFailure(offset: start, message: "half of a surrogate pair")
    }

    private mutating func hexadecimal() throws(JSONFailure) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek(),
                let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80
            else { throw unexpected(peek(), wanted: "four hexadecimal digits") }
            number = number << 4 | UInt32(digit)
            offset += 1
        }
        return number
    }
}

// MARK: - Numbers

extension JSONReader {
    private mutating func number() throws(JSONFailure) -> JSONValue {
        let start = offset
        let isNegative = skip(UInt8(ascii: "-"))
        var magnitude: UInt64? = 0
        if !skip(UInt8(ascii: "0")) {
            let first = offset
            while let byte = peek(), byte >= 0x30, byte <= 0x39 {
                magnitude = magnitude.flatMap { magnitude in
                    let (product, tooBig) = magnitude.multipliedReportingOverflow(by: 10)
                    let (sum, carry) = product.addingReportingOverflow(UInt64(byte - 0x30))
                    return tooBig || carry ? nil : sum
                }
                offset += 1
            }
            guard offset > first else { throw unexpected(peek(), wanted: "a digit") }
        }
        var isInteger = true
        if skip(UInt8(ascii: ".")) {
            isInteger = false
            try digits()
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            isInteger = false
            if !skip(UInt8(ascii: "-")) { _ = skip(UInt8(ascii: "+")) }
            try digits()
        }
        if isInteger, let magnitude {
            if !isNegative { return .number(magnitude) }
            // Minus zero is a number that only a Double has.
            if magnitude > 0, magnitude <= 1 << 63 {
                return .integer(Int64(truncatingIfNeeded: 0 &- magnitude))
            }
        }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        guard let double = Double(text), double.isFinite else {
            throw JSONFailure(offset: start, message: "a number that no Double can hold")
        }
        return .double(double)
    }

    private mutating func digits() throws(JSONFailure) {
        let first = offset
        while let byte = peek(), byte >= 0x30, byte <= 0x39 { offset += 1 }
        guard offset > first else { throw unexpected(peek(), wanted: "a digit") }
    }
}
#endif
