#if TELLTALE_COMPILED
extension ExpressionValue {
    /// Makes a value of a node, in the form in which it is shown: masked parts stay masked.
    ///
    /// - Throws: `.denied` for a secret, `.unsupported` for a value that was not read, or not
    ///   completely.
    package init(_ node: ValueNode) throws(ExpressionFailure) {
        switch node.kind {
        case .none: self = .none
        case .masked: throw Self.masked
        case .unavailable:
            throw ExpressionFailure(.unsupported, node.note ?? "it can't be read")
        case .scalar: self = Self(scalar: node.text ?? "", type: node.type)
        case .string:
            guard node.cut == nil else { throw Self.isCut }
            self = Self(quoted: node.text ?? "", type: node.type)
        case .enumeration: self = Self(enumCase: node.text ?? "")
        case .object, .reference:
            let digits = node.address?.dropFirst(2) ?? ""
            self = UInt64(digits, radix: 16).map { .object($0) } ?? .other(node.type)
        default: self = node.text.map { Self(scalar: $0, type: node.type) } ?? .other(node.type)
        }
    }

    package static let masked = ExpressionFailure(
        .denied, "it is masked: nothing is computed with it, and nothing is found by it")
    package static let isCut = ExpressionFailure(
        .bound, "it is too long to be compared: it was not read as a whole")

    /// Makes a value of a leaf's text: a number, a Bool, an address; durations and others that look
    /// like none stay as their text.
    package init(scalar text: String, type: String) {
        switch text {
        case "true": self = .bool(true)
        case "false": self = .bool(false)
        default:
            if Self.decimals.contains(type), let first = text.first, first == "-" || first.isNumber
            {
                // As a Double it would equal its neighbours.
                self = ExactDecimal(text).map { .decimal($0) } ?? .other(type)
            } else if text.hasPrefix("0x"), let address = UInt64(text.dropFirst(2), radix: 16) {
                self = .integer(Int128(address))
            } else if let small = Int(text) {
                self = .integer(Int128(small))
            } else if let whole = Int128(text) {
                self = .integer(whole)
            } else if text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) {
                // As a Double it would equal its neighbours.
                self = .other(type)
            } else if let number = Double(text) {
                self = .double(number)
            } else if text.hasPrefix("\"") {
                self = Self(quoted: text, type: type)
            } else {
                self = Self(text, of: type)
            }
        }
    }

    /// The types whose numbers are decimals, as answers name them.
    package static let decimals: Set<String> = ["Decimal", "Decimal?", "NSDecimalNumber"]

    /// Makes a value of a string literal, which may show a value of another type.
    package init(quoted text: String, type: String = "String") {
        self = Self(Self.unquoted(text), of: type)
    }

    private init(_ text: String, of type: String) {
        self = ShownText.isText(type) ? .string(text) : .shown(ShownText(text, type: type))
    }

    /// Returns the string that a literal stands for; any other text unchanged.
    static func unquoted(_ text: String) -> String {
        guard text.utf8.count >= 2, text.utf8.first == UInt8(ascii: "\"") else { return text }
        guard text.utf8.contains(UInt8(ascii: "\\")) else {
            return String(text.utf8.dropFirst().dropLast()) ?? text
        }
        guard case .string(let inner)? = try? Literal(parsing: text) else { return text }
        return inner
    }

    package init(enumCase text: String) {
        guard case .enumCase(let name, _)? = try? Literal(parsing: text) else {
            self = .enumCase(text)
            return
        }
        self = .enumCase(name)
    }

    /// The value as it is shown.
    package var node: ValueNode {
        switch self {
        case .none: ValueNode(type: "Never?", kind: .none, text: "nil")
        case .bool(let bool): ValueNode(type: "Bool", kind: .scalar, text: String(bool))
        case .integer(let number):
            ValueNode(
                type: Int64(exactly: number) != nil
                    ? "Int" : UInt64(exactly: number) != nil ? "UInt" : "Int128",
                kind: .scalar, text: String(number))
        case .double(let number):
            ValueNode(type: "Double", kind: .scalar, text: number.description)
        case .decimal(let number):
            ValueNode(type: "Decimal", kind: .scalar, text: number.description)
        case .string(let text):
            ValueNode(type: "String", kind: .string, text: Literal.quoted(text))
        case .shown(let shown):
            ValueNode(type: shown.type, kind: .string, text: Literal.quoted(shown.text))
        case .enumCase(let name):
            ValueNode(type: "case", kind: .enumeration, text: "." + NameFormat.typed(name))
        case .object(let address):
            ValueNode(
                type: "AnyObject", kind: .reference,
                address: Quantity.address(UInt(truncatingIfNeeded: address)))
        case .other(let type): ValueNode(type: type, kind: .opaque)
        }
    }
}
#endif
