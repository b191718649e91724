import TelltaleProtocol

/// The call whose argument is at the cursor: `photos.add("a", tit`.
struct HalfTypedCall: Equatable {
    /// The text before the parenthesis.
    var name: String
    /// The argument's index, from 0.
    var index: Int
    /// The typed part of the argument, after its label.
    var word: String
    /// The byte of the line at which that begins.
    var start: Int

    /// `nil` if no call is open, or if the text before it can't be one.
    init?(_ line: String) {
        let bytes = Array(line.utf8)
        guard let open = Self.innermost(bytes), open.bracket == UInt8(ascii: "(") else {
            return nil
        }
        let before = HalfTypedPlace.split(String(decoding: bytes[..<open.offset], as: UTF8.self))
        guard let callee = before.last?.text, let first = callee.unicodeScalars.first,
            first.properties.isXIDStart || first == "_" || first == "`" || first == "#",
            HalfTypedPlace.kind(before.dropLast().map(\.text), callee) == .path
        else { return nil }
        name = callee
        index = open.commas.count
        var start = (open.commas.last ?? open.offset) + 1
        if let colon = open.colon { start = colon + 1 }
        while start < bytes.count, bytes[start] == UInt8(ascii: " ") { start += 1 }
        self.start = start
        word = String(decoding: bytes[start...], as: UTF8.self)
    }

    private struct Bracket {
        var bracket: UInt8
        var offset: Int
        var commas: [Int] = []
        /// Behind the label of the last argument.
        var colon: Int?
    }

    /// The innermost bracket that is open at the line's end; nil in a text too.
    private static func innermost(_ bytes: [UInt8]) -> Bracket? {
        var open: [Bracket] = []
        var quotes = TypedQuotes<Unicode.Scalar>()
        for (offset, byte) in bytes.enumerated() {
            guard !quotes.takes(Unicode.Scalar(byte)) else { continue }
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                open.append(Bracket(bracket: byte, offset: offset))
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): _ = open.popLast()
            case UInt8(ascii: ","):
                guard !open.isEmpty else { continue }
                open[open.count - 1].commas.append(offset)
                open[open.count - 1].colon = nil
            case UInt8(ascii: ":"):
                guard !open.isEmpty else { continue }
                open[open.count - 1].colon = open[open.count - 1].colon ?? offset
            default: break
            }
        }
        return quotes.isOpen ? nil : open.last
    }
}
