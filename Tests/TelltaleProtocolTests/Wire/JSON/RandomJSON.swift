import TelltaleProtocol
import TelltaleTestSupport

/// Values to try the parser and the writer with.
enum RandomJSON {
    static let scalars: [Unicode.Scalar] = [
        "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\r", "\t", "\u{0}", "\u{1F}", "\u{7F}",
        "\u{9B}",
        "é", "ß", "\u{301}", "\u{202E}", "\u{2028}", "\u{FEFF}", "漢", "😀", "\u{E0041}",
        "\u{10FFFF}",
    ]

    static func string(_ generator: inout SeededGenerator) -> String {
        var view = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...20, using: &generator) {
            // Mostly plain, so that the runs between escapes have every length.
            let isPlain = Int.random(in: 0..<3, using: &generator) > 0
            view.append(isPlain ? "x" : scalars.randomElement(using: &generator) ?? "y")
        }
        return String(view)
    }

    static func value(_ generator: inout SeededGenerator, depth: Int = 4) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 7), using: &generator) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2: return .number(Int64.random(in: .min ... .max, using: &generator))
        case 3: return .number(UInt64.random(in: 0 ... .max, using: &generator))
        case 4: return .number(Int.random(in: -9...9, using: &generator))
        case 5:
            let double = Double(bitPattern: UInt64.random(in: 0 ... .max, using: &generator))
            return .double(double.isFinite ? double : 0.5)
        case 6: return .string(string(&generator))
        case 7:
            return .array(
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                    value(&generator, depth: depth - 1)
                })
        default:
            return .object(
                (0..<Int.random(in: 0...4, using: &generator)).map { index in
                    JSONMember("\(index)" + string(&generator), value(&generator, depth: depth - 1))
                })
        }
    }
}

/// Returns whether two values are equal to a reader who knows only doubles and unordered members.
func agree(_ left: JSONValue, _ right: JSONValue) -> Bool {
    switch (left, right) {
    case (.array(let left), .array(let right)):
        return left.count == right.count && zip(left, right).allSatisfy(agree)
    case (.object(let one), .object(let other)):
        return Set(one.map(\.key)) == Set(other.map(\.key))
            && Set(one.map(\.key)).allSatisfy { key in
                guard let left = left[key], let right = right[key] else { return false }
                return agree(left, right)
            }
    default:
        if let one = left.asDouble, let other = right.asDouble { return one == other }
        return left == right
    }
}

extension JSONValue {
    fileprivate var asDouble: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .unsigned(let unsigned): Double(unsigned)
        case .double(let double): double
        default: nil
        }
    }
}
