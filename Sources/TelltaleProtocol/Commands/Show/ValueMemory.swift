#if TELLTALE_COMPILED
/// The answer to `show --memory` about an object.
public struct ValueMemory: JSONCodable {
    /// The object's address, as hexadecimal with `0x`.
    public var address: String
    /// The size of its header and properties, in bytes.
    public var size: Int
    /// The size of its malloc block, in bytes; `nil` if it has no block of its own, as a constant,
    /// or if the allocator is another one.
    public var block: Int?
    /// The strong reference count; `nil` for an object that is never freed.
    public var strong: Int?
    /// The unowned reference count.
    public var unowned: Int?
    /// The weak reference count.
    public var weak: Int?
    /// Indicates that its counts have moved to a side table, as the first weak reference makes
    /// them.
    public var hasSideTable: Bool

    package init(
        address: String, size: Int, block: Int?, strong: Int?, unowned: Int?, weak: Int?,
        hasSideTable: Bool
    ) {
        self.address = address
        self.size = size
        self.block = block
        self.strong = strong
        self.unowned = unowned
        self.weak = weak
        self.hasSideTable = hasSideTable
    }

    /// `0x7f30a0: 48 bytes, in a block of 64`, and the references.
    package var lines: [String] {
        var place = "\(address.escaped): \(Quantity.count(size, "byte", "bytes"))"
        if let block { place += ", in a block of \(Quantity.count(block))" }
        var counts = "references: "
        if let strong, let unowned, let weak {
            counts += "\(Quantity.count(strong)) strong, \(Quantity.count(unowned)) unowned, "
            counts += "\(Quantity.count(weak)) weak"
        } else {
            counts += "not counted: it is never freed"
        }
        if hasSideTable { counts += "; counted in a side table" }
        return ["  memory: " + place, "  " + counts]
    }
}

/// The answer to `show --bytes` about a value.
public struct ValueBytes: JSONCodable {
    /// The size of the value in bytes.
    public var size: Int
    /// The first of them, two digits each; `--` for each byte of a secret.
    public var hexadecimal: String

    package init(size: Int, hexadecimal: String) {
        self.size = size
        self.hexadecimal = hexadecimal
    }

    private static let inLine = 16

    /// Sixteen in a line, with their offset and, where they are ASCII, as text.
    package var lines: [String] {
        let digits = Array(hexadecimal.utf8)
        let shown = digits.count / 2
        var lines = ["  bytes: \(Quantity.count(size))"]
        for start in stride(from: 0, to: shown, by: Self.inLine) {
            let end = min(start + Self.inLine, shown)
            var words: [String] = []
            var text = ""
            for index in start..<end {
                let pair = String(decoding: digits[index * 2..<index * 2 + 2], as: UTF8.self)
                words.append(pair.escaped)
                let byte = UInt8(pair, radix: 16) ?? 0
                text += (0x20..<0x7F).contains(byte) ? String(UnicodeScalar(byte)) : "."
            }
            let offset = String(start, radix: 16)
            let line = words.joined(separator: " ").filled(to: Self.inLine * 3 - 1)
            lines.append(
                "    " + String(repeating: "0", count: max(0, 4 - offset.count))
                    + "\(offset)  \(line)  \(text)")
        }
        if shown < size { lines.append("    … \(Quantity.count(size - shown)) more") }
        return lines
    }
}

/// Details of a value that are read besides its parts.
package struct ValueDetail: Sendable, Equatable {
    package var memory: ValueMemory?
    package var bytes: ValueBytes?

    package init(memory: ValueMemory? = nil, bytes: ValueBytes? = nil) {
        self.memory = memory
        self.bytes = bytes
    }
}
#endif
