#if TELLTALE_COMPILED
/// Writes JSON text.
struct JSONWriter {
    let pretty: Bool
    private(set) var bytes: [UInt8] = []
    private var level = 0

    init(pretty: Bool) { self.pretty = pretty }

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: append("null")
        case .bool(let bool): append(bool ? "true" : "false")
        case .integer(let integer): append(String(integer))
        case .unsigned(let unsigned): append(String(unsigned))
        case .double(let double): append(double.isFinite ? double.description : "null")
        case .string(let string): write(string)
        case .array(let elements):
            open(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                separate(isFirst: index == 0)
                write(element)
            }
            close(UInt8(ascii: "]"), isEmpty: elements.isEmpty)
        case .object(let members):
            open(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                separate(isFirst: index == 0)
                write(member.key)
                bytes.append(UInt8(ascii: ":"))
                if pretty { bytes.append(UInt8(ascii: " ")) }
                write(member.value)
            }
            close(UInt8(ascii: "}"), isEmpty: members.isEmpty)
        }
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func open(_ bracket: UInt8) {
        bytes.append(bracket)
        level += 1
    }

    private mutating func separate(isFirst: Bool) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        breakLine()
    }

    private mutating func close(_ bracket: UInt8, isEmpty: Bool) {
        level -= 1
        if !isEmpty { breakLine() }
        bytes.append(bracket)
    }

    private mutating func breakLine() {
        guard pretty else { return }
        bytes.append(0x0A)
        bytes.append(contentsOf: repeatElement(0x20, count: 2 * level))
    }

    private mutating func write(_ string: String) {
        bytes.append(0x22)
        var string = string
        string.withUTF8 { utf8 in
            let raw = UnsafeRawBufferPointer(utf8)
            var offset = 0
            while offset < raw.count {
                let end = ByteScan.endOfPlain(in: raw, from: offset, asciiOnly: true)
                // Of the whole memory at once: a slice is copied byte by byte.
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[offset..<end]))
                offset = end
                if offset < raw.count { offset += writeSpecial(raw, at: offset) }
            }
        }
        bytes.append(0x22)
    }

    /// Writes one character that may need an escape; returns how many bytes it took.
    private mutating func writeSpecial(_ raw: UnsafeRawBufferPointer, at offset: Int) -> Int {
        let first = raw[offset]
        guard first >= 0x80 else {
            writeEscape(Unicode.Scalar(first))
            return 1
        }
        // What a String gives is valid; the bound is only for the reader of this code.
        let length = min(first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2, raw.count - offset)
        let piece = raw[offset..<offset + length]
        // Every scalar that is escaped begins with one of these bytes.
        switch first {
        case 0xC2, 0xD8, 0xE2, 0xEF, 0xF3:
            let leading = UInt32(first) & (0x7F >> UInt32(length))
            let value = piece.dropFirst().reduce(leading) { $0 << 6 | UInt32($1 & 0x3F) }
            if let scalar = Unicode.Scalar(value), scalar.steersTerminal {
                writeEscape(scalar)
                return length
            }
        default: break
        }
        bytes.append(contentsOf: piece)
        return length
    }

    private mutating func writeEscape(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": append("\\\"")
        case "\\": append("\\\\")
        case "\n": append("\\n")
        case "\r": append("\\r")
        case "\t": append("\\t")
        default:
            for unit in Character(scalar).utf16 {
                let digits = String(unit, radix: 16)
                append("\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits)
            }
        }
    }
}
#endif
