#if TELLTALE_AGENT
/// The names of types in answers: without modules, `[Photo]`, `[String: Int]`, `String?`.
package enum TypeNames {
    static let cache = TypeCache<String>()
    /// The maximum length; a longer name is truncated, because every line about the type contains it.
    private static let longest = 512

    package static func name(of type: Any.Type) -> String {
        cache.value(of: type) { sugared(_typeName($0, qualified: false)) }
    }

    /// Replaces the long forms of arrays, dictionaries and optionals in a runtime name by Swift's short
    /// forms.
    static func sugared(_ text: String) -> String {
        var name = text
        if name.utf8.count > 4 * longest { name = String(name.prefix(4 * longest)) + "…" }
        for _ in 0..<64 {
            guard let next = replaced(name) else { break }
            name = next
        }
        return name.count > longest ? String(name.prefix(longest)) + "…" : name
    }

    // Replaces the first long form, from the left and thus from the outside in.
    private static func replaced(_ name: String) -> String? {
        let bytes = Array(name.utf8)
        for (form, size) in [("Array<", 6), ("Dictionary<", 11), ("Optional<", 9)] {
            var from = 0
            while let start = position(of: Array(form.utf8), in: bytes, from: from) {
                from = start + 1
                guard start == 0 || !isNameByte(bytes[start - 1]),
                    let end = close(bytes, from: start + size)
                else { continue }
                let before = String(decoding: bytes[..<start], as: UTF8.self)
                let after = String(decoding: bytes[(end + 1)...], as: UTF8.self)
                // A type nested in one of these keeps the long form: `Array<Int>.Iterator`.
                if after.hasPrefix(".") { continue }
                let inside = bytes[(start + size)..<end]
                guard let short = short(form, Array(inside)) else { continue }
                return before + short + after
            }
        }
        return nil
    }

    private static func short(_ form: String, _ inside: [UInt8]) -> String? {
        let text = String(decoding: inside, as: UTF8.self)
        switch form {
        case "Array<": return "[\(text)]"
        case "Optional<":
            let needsParentheses = text.contains(" -> ") || text.contains(" & ")
            let isWrapped = text.hasSuffix(")") && !text.contains(" -> ")
            return needsParentheses && !isWrapped ? "(\(text))?" : "\(text)?"
        default:
            guard let comma = topComma(inside) else { return nil }
            let key = String(decoding: inside[..<comma], as: UTF8.self)
            let value = String(decoding: inside[(comma + 2)...], as: UTF8.self)
            return "[\(key): \(value)]"
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || byte >= 0x80
            || (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
    }

    private static func position(of form: [UInt8], in bytes: [UInt8], from: Int) -> Int? {
        guard bytes.count >= form.count else { return nil }
        var start = from
        while start <= bytes.count - form.count {
            if bytes[start..<start + form.count].elementsEqual(form) { return start }
            start += 1
        }
        return nil
    }

    /// Returns the change of the bracket depth at a byte; the `>` of an arrow does not close a bracket.
    private static func change(_ bytes: [UInt8], _ index: Int) -> Int {
        switch bytes[index] {
        case UInt8(ascii: "<"), UInt8(ascii: "("), UInt8(ascii: "["): return 1
        case UInt8(ascii: ">") where index > 0 && bytes[index - 1] == UInt8(ascii: "-"):
            return 0
        case UInt8(ascii: ">"), UInt8(ascii: ")"), UInt8(ascii: "]"): return -1
        default: return 0
        }
    }

    private static func close(_ bytes: [UInt8], from: Int) -> Int? {
        var depth = 1
        for index in from..<max(from, bytes.count) {
            depth += change(bytes, index)
            if depth == 0 { return index }
        }
        return nil
    }

    private static func topComma(_ bytes: [UInt8]) -> Int? {
        var depth = 0
        for index in bytes.indices {
            if depth == 0, bytes[index] == UInt8(ascii: ","), index + 2 <= bytes.count {
                return index
            }
            depth += change(bytes, index)
        }
        return nil
    }
}
#endif
