#if TELLTALE_COMPILED
/// Writes JSON text.
struct JSONWriter {
    let pretty: Bool
    private let output = ByteOutput()
    private var level = 0

    /// The bytes written so far.
    var bytes: [UInt8] { output.bytes }

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
            var isFirst = true
            for element in elements {
                separate(isFirst: isFirst)
                isFirst = false
                write(element)
            }
            close(UInt8(ascii: "]"), isEmpty: elements.isEmpty)
        case .object(let members):
            open(UInt8(ascii: "{"))
            var isFirst = true
            for member in members {
                separate(isFirst: isFirst)
                isFirst = false
                write(member.key)
                output.append(UInt8(ascii: ":"))
                if pretty { output.append(UInt8(ascii: " ")) }
                write(member.value)
            }
            close(UInt8(ascii: "}"), isEmpty: members.isEmpty)
        }
    }

    private func append(_ text: String) {
        var text = text
        text.withUTF8 { output.append(UnsafeRawBufferPointer($0)) }
    }

    private mutating func open(_ bracket: UInt8) {
        output.append(bracket)
        level += 1
    }

    private func separate(isFirst: Bool) {
        if !isFirst { output.append(UInt8(ascii: ",")) }
        breakLine()
    }

    private mutating func close(_ bracket: UInt8, isEmpty: Bool) {
        level -= 1
        if !isEmpty { breakLine() }
        output.append(bracket)
    }

    private func breakLine() {
        guard pretty else { return }
        output.append(0x0A)
        for _ in 0..<2 * level { output.append(0x20) }
    }

    private func write(_ string: String) {
        output.append(0x22)
        var string = string
        string.withUTF8 { utf8 in
            let raw = UnsafeRawBufferPointer(utf8)
            guard let start = raw.baseAddress else { return }
            var offset = 0
            while offset < raw.count {
                let end = ByteScan.endOfPlain(in: raw, from: offset, asciiOnly: true)
                output.append(
                    UnsafeRawBufferPointer(start: start + offset, count: end - offset))
                offset = end
                if offset < raw.count { offset += writeSpecial(raw, at: offset) }
            }
        }
        output.append(0x22)
    }

    /// Writes one character that may need an escape; returns how many bytes it took.
    private func writeSpecial(_ raw: UnsafeRawBufferPointer, at offset: Int) -> Int {
        let first = raw[offset]
        guard first >= 0x80 else {
            writeEscape(Unicode.Scalar(first))
            return 1
        }
        // A String's bytes are valid; the bound is only for the reader of this code.
        let length = min(first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2, raw.count - offset)
        let piece = UnsafeRawBufferPointer(rebasing: raw[offset..<offset + length])
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
        output.append(piece)
        return length
    }

    private func writeEscape(_ scalar: Unicode.Scalar) {
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

/// Bytes that are written one behind the other.
///
/// An array's own appending is generic code, which took a third of a long answer where the agent is
/// compiled without optimisation; a class's variables are looked after at each access, another quarter.
private final class ByteOutput {
    private struct State {
        var start = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 16)
        var capacity = 256
        var count = 0
    }

    private let state: UnsafeMutablePointer<State>

    init() {
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    deinit {
        state.pointee.start.deallocate()
        state.deallocate()
    }

    var bytes: [UInt8] {
        [UInt8](UnsafeRawBufferPointer(start: state.pointee.start, count: state.pointee.count))
    }

    func append(_ byte: UInt8) {
        let count = state.pointee.count
        if count == state.pointee.capacity { grow(to: count + 1) }
        state.pointee.start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        state.pointee.count = count + 1
    }

    func append(_ bytes: UnsafeRawBufferPointer) {
        guard let from = bytes.baseAddress else { return }
        let (start, end) = (state.pointee.count, state.pointee.count + bytes.count)
        if end > state.pointee.capacity { grow(to: end) }
        (state.pointee.start + start).copyMemory(from: from, byteCount: bytes.count)
        state.pointee.count = end
    }

    private func grow(to wanted: Int) {
        let capacity = max(wanted, 2 * state.pointee.capacity)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        larger.copyMemory(from: state.pointee.start, byteCount: state.pointee.count)
        state.pointee.start.deallocate()
        state.pointee.start = larger
        state.pointee.capacity = capacity
    }
}
#endif
