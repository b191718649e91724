#if TELLTALE_COMPILED
/// A value as it is typed, in Swift's or in JSON's syntax.
///
/// It has no type: the expected type decides whether `1` is an `Int` or a `Double`.
public indirect enum Literal: Sendable, Equatable {
    /// An argument of a call, a payload of a case, or an element of a tuple.
    public struct Argument: Sendable, Equatable {
        /// The label before the colon.
        public var label: String?
        /// The value.
        public var value: Literal

        /// Makes an argument.
        ///
        /// - Parameters:
        ///   - label: The label before the colon.
        ///   - value: The value.
        public init(label: String? = nil, value: Literal) {
            self.label = label
            self.value = value
        }
    }

    /// An entry of a dictionary.
    public struct Entry: Sendable, Equatable {
        /// The key.
        public var key: Literal
        /// The value.
        public var value: Literal

        /// Makes an entry.
        ///
        /// - Parameters:
        ///   - key: The key.
        ///   - value: The value.
        public init(key: Literal, value: Literal) {
            self.key = key
            self.value = value
        }
    }

    /// `nil` or `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// An integer: decimal digits, with a minus where it has one.
    case integer(String)
    /// A number with a fraction or an exponent, `inf`, `-inf` or `nan`, as `Double` reads it.
    case float(String)
    /// A string, without quotes and escapes.
    case string(String)
    /// `.name` or `.name(payload, label: payload)`.
    case enumCase(String, [Argument])
    /// `[a, b]`.
    case array([Literal])
    /// `[k: v]` or `{"k": v}`.
    case dictionary([Entry])
    /// `(a, label: b)`; one value without a label in parentheses is that value.
    case tuple([Argument])
    /// `Point(x: 3.0, y: 2.5)`, `Mood.busy(1)`: the name as it was typed. Only `TypedLiteral` reads one.
    case made(String, [Argument])
    /// `1..<10`, `1...3`, `2...`, `..<4`. Only `TypedLiteral` reads one.
    case range(Literal?, Literal?, isClosed: Bool)
    /// `photos.items[2]`, `#7`: the value at a path. Only `TypedLiteral` reads one.
    case path(ValuePath)
    /// A spelling that a type may have of its own: `3.0 seconds`. Only `TypedLiteral` reads one.
    case spelled(String)

    /// The maximum nesting of a value.
    public static let maximumDepth = 64
    /// The maximum length of a typed value, in bytes; as much as a whole request.
    public static let maximumBytes = 1 << 20

    /// Reads a value that takes the whole text.
    ///
    /// - Parameter text: The value as typed.
    /// - Throws: A failure of usage that names the column.
    public init(parsing text: String) throws(CommandFailure) {
        var parser = LiteralParser(try TextScanner(text, maximumBytes: Self.maximumBytes))
        self = try parser.whole()
    }

    /// Parses the text between the parentheses of a call: `1, named: "x"`.
    ///
    /// - Parameter text: The arguments as typed; nothing or spaces for none.
    /// - Returns: The arguments in their order.
    /// - Throws: A failure of usage that names the column.
    public static func arguments(parsing text: String) throws(CommandFailure) -> [Argument] {
        var parser = LiteralParser(try TextScanner(text, maximumBytes: maximumBytes))
        return try parser.wholeArguments()
    }

    /// The kind of value, for a sentence: `an Int`, `a String`, `the case .done`.
    public var typeDescription: String {
        switch self {
        case .null: "nil"
        case .bool: "a Bool"
        case .integer: "an Int"
        case .float: "a Double"
        case .string: "a String"
        case .enumCase(let name, _): "the case .\(NameFormat.typed(name))"
        case .array: "an array"
        case .dictionary: "a dictionary"
        case .tuple: "a tuple"
        case .made(let name, _): "\(name)(…)"
        case .range: "a range"
        case .path: "a path"
        case .spelled(let text): "'\(text)'"
        }
    }
}
#endif
