#if TELLTALE_AGENT
import TelltaleProtocol

/// The components of a path as bytes, to which a walk appends. Each has a letter, followed by
/// the eight bytes of a position, the sixteen bytes of a range, or the four bytes of a length and the text.
enum EncodedPath {
    static func bytes(of path: [ValuePath.Component]) -> [UInt8] {
        var bytes: [UInt8] = []
        for component in path {
            switch component {
            case .property(let name): add(UInt8(ascii: "p"), name, to: &bytes)
            case .key(let literal): add(UInt8(ascii: "k"), literal.description, to: &bytes)
            case .index(let index):
                bytes.append(UInt8(ascii: "i"))
                add(index, to: &bytes)
            case .range(let range):
                bytes.append(UInt8(ascii: "r"))
                add(range.lowerBound, to: &bytes)
                add(range.upperBound, to: &bytes)
            }
        }
        return bytes
    }

    private static func add(_ letter: UInt8, _ text: String, to bytes: inout [UInt8]) {
        bytes.append(letter)
        withUnsafeBytes(of: UInt32(clamping: text.utf8.count)) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: text.utf8)
    }

    private static func add(_ number: Int, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: Int64(number)) { bytes.append(contentsOf: $0) }
    }

    /// Decodes the components; `nil` for invalid bytes.
    static func path(of bytes: UnsafeRawBufferPointer) -> [ValuePath.Component]? {
        var path: [ValuePath.Component] = []
        var rest = bytes[...]
        while let letter = rest.popFirst() {
            switch letter {
            case UInt8(ascii: "p"):
                guard let name = text(&rest) else { return nil }
                path.append(.property(name))
            case UInt8(ascii: "k"):
                guard let text = text(&rest), let literal = try? Literal(parsing: text) else {
                    return nil
                }
                path.append(.key(literal))
            case UInt8(ascii: "i"):
                guard let index = number(&rest) else { return nil }
                path.append(.index(index))
            case UInt8(ascii: "r"):
                guard let low = number(&rest), let high = number(&rest), low <= high else {
                    return nil
                }
                path.append(.range(low..<high))
            default: return nil
            }
        }
        return path
    }

    private static func text(_ rest: inout Slice<UnsafeRawBufferPointer>) -> String? {
        guard rest.count >= 4 else { return nil }
        let count = Int(
            UnsafeRawBufferPointer(rebasing: rest.prefix(4)).loadUnaligned(as: UInt32.self))
        rest = rest.dropFirst(4)
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return String(decoding: rest.prefix(count), as: UTF8.self)
    }

    private static func number(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Int? {
        guard rest.count >= 8 else { return nil }
        defer { rest = rest.dropFirst(8) }
        return Int(UnsafeRawBufferPointer(rebasing: rest.prefix(8)).loadUnaligned(as: Int64.self))
    }
}
#endif
