#if TELLTALE_AGENT
import TelltaleProtocol

/// The standard library's types whose values are typed as one literal.
///
/// The conformances are also the list of types whose `==` and `hash(into:)` the agent runs.
protocol TypedScalar: Hashable {
    /// Makes a value of this type; `nil` if the literal is not one.
    static func make(_ literal: Literal) -> Self?
    /// The text to type instead of a literal that is not a value of this type.
    static func hint(for literal: Literal) -> String?
    /// The minimum and the maximum of a number type.
    static var range: (String, String)? { get }
    /// Returns whether a literal that is not a value of this type is a number out of its range.
    static func isBeyondRange(_ literal: Literal) -> Bool
    /// The value as it would be typed, if no reader is needed for that: a session of one costs 5 µs. `nil`
    /// for types that may hold a secret, or that have their own notation.
    var typedText: String? { get }
}

extension TypedScalar {
    var typedText: String? { nil }
    static var range: (String, String)? { nil }
    static func isBeyondRange(_ literal: Literal) -> Bool { false }
}

extension TypedScalar where Self: FixedWidthInteger {
    var typedText: String? { description }

    static func make(_ literal: Literal) -> Self? {
        guard case .integer(let text) = literal else { return nil }
        return Self(text)
    }

    static func hint(for literal: Literal) -> String? {
        if case .string(let text) = literal, let value = Self(text) {
            return "write it without quotes: \(value)"
        }
        return "write a whole number: 12"
    }

    static var range: (String, String)? { ("\(Self.min)", "\(Self.max)") }

    static func isBeyondRange(_ literal: Literal) -> Bool {
        if case .integer = literal { return true }
        return false
    }
}

extension Int: TypedScalar, SummableAccess {}
extension Int8: TypedScalar, SummableAccess {}
extension Int16: TypedScalar, SummableAccess {}
extension Int32: TypedScalar, SummableAccess {}
extension Int64: TypedScalar, SummableAccess {}
extension Int128: TypedScalar, SummableAccess {}
extension UInt: TypedScalar, SummableAccess {}
extension UInt8: TypedScalar, SummableAccess {}
extension UInt16: TypedScalar, SummableAccess {}
extension UInt32: TypedScalar, SummableAccess {}
extension UInt64: TypedScalar, SummableAccess {}
extension UInt128: TypedScalar, SummableAccess {}

extension TypedScalar where Self: BinaryFloatingPoint & LosslessStringConvertible {
    static func make(_ literal: Literal) -> Self? {
        switch literal {
        case .integer(let text), .float(let text):
            guard let value = Self(text) else { return nil }
            // A typed number must not become infinite, and a whole number must not be rounded to another one.
            if value.isInfinite, !text.contains("inf") { return nil }
            if case .integer = literal, let whole = Int128(text), Self(exactly: whole) == nil {
                return nil
            }
            return value
        default: return nil
        }
    }

    static func hint(for literal: Literal) -> String? {
        // A whole number would be rounded.
        guard case .integer(let text) = literal, let near = Self(text), near.isFinite else {
            return "write a number: 1.5"
        }
        return "it has no such value; the nearest is \(near)"
    }

    static var range: (String, String)? {
        ("-\(Self.greatestFiniteMagnitude)", "\(Self.greatestFiniteMagnitude)")
    }

    static func isBeyondRange(_ literal: Literal) -> Bool {
        switch literal {
        case .integer(let text), .float(let text):
            Self(text)?.isInfinite == true && !text.contains("inf")
        default: false
        }
    }
}

extension Double: TypedScalar, SummableAccess {}
extension Float: TypedScalar, SummableAccess {}
extension Float16: TypedScalar, SummableAccess {}

extension Bool: TypedScalar {
    var typedText: String? { description }

    static func make(_ literal: Literal) -> Bool? {
        guard case .bool(let bool) = literal else { return nil }
        return bool
    }

    static func hint(for literal: Literal) -> String? {
        let word =
            switch literal {
            case .path(let path): path.description
            case .string(let text), .integer(let text): text
            default: ""
            }
        switch word.lowercased() {
        case "yes", "on", "y", "1", "true": return "write `true`"
        case "no", "off", "n", "0", "false": return "write `false`"
        default: return "write true or false"
        }
    }
}

extension Duration: TypedScalar {
    static func make(_ literal: Literal) -> Duration? {
        guard case .spelled(let text) = literal else { return nil }
        return DurationText.duration(text)
    }

    static func hint(for literal: Literal) -> String? { "write 1.5 seconds, or 200 ms" }
}

extension String: TypedScalar {
    static func make(_ literal: Literal) -> String? {
        guard case .string(let text) = literal else { return nil }
        return text
    }

    static func hint(for literal: Literal) -> String? {
        // The text "nil" is hardly meant.
        if case .null = literal { return "only an optional can be nil; an empty text is \"\"" }
        let text = literal.description
        return text.utf8.count > 60
            ? "write a text in quotes" : "write it in quotes: \(Literal.quoted(text))"
    }
}

extension Substring: TypedScalar {
    static func make(_ literal: Literal) -> Substring? { String.make(literal).map { $0[...] } }
    static func hint(for literal: Literal) -> String? { String.hint(for: literal) }
}

extension Character: TypedScalar {
    static func make(_ literal: Literal) -> Character? {
        guard case .string(let text) = literal, text.count == 1 else { return nil }
        return text.first
    }

    static func hint(for literal: Literal) -> String? { "write one character in quotes: \"a\"" }
}

extension Unicode.Scalar: TypedScalar {
    static func make(_ literal: Literal) -> Unicode.Scalar? {
        guard case .string(let text) = literal, text.unicodeScalars.count == 1 else {
            return nil
        }
        return text.unicodeScalars.first
    }

    static func hint(for literal: Literal) -> String? { "write one scalar in quotes: \"a\"" }
}
#endif
