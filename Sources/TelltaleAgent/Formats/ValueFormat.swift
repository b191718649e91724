/// How the values of one type are shown and typed, where its fields would tell a person nothing:
/// a date, a URL.
///
/// Both closures are called on the owner of the object that the value stands in, or in a forked
/// child: they take no locks and are quick.
public struct ValueFormat: Sendable {
    /// How a value's text stands in an answer.
    public struct Style: RawRepresentable, Sendable, Hashable {
        /// The style's name.
        public var rawValue: String
        /// Makes a style from its name.
        ///
        /// - Parameter rawValue: The style's name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// In quotes: `"https://example.com"`.
        public static let quoted = Style(rawValue: "quoted")
        /// As a number: `12.50`.
        public static let number = Style(rawValue: "number")
    }

    /// A value as text.
    public struct Rendering: Sendable, Equatable {
        /// The text that ``ValueFormat`` would read again, without quotes.
        public var text: String
        /// What else is to be known: `5 bytes`.
        public var note: String?

        /// Makes a rendering.
        ///
        /// - Parameters:
        ///   - text: The text, without quotes.
        ///   - note: What else is to be known.
        public init(_ text: String, note: String? = nil) {
            self.text = text
            self.note = note
        }
    }

    /// The type whose values it is for; subclasses have their own.
    public let type: Any.Type
    /// How the text stands in an answer.
    public let style: Style
    /// What is typed for a value of the type, for the hint of a failure: `"2026-11-21T03:12:45Z"`.
    public let example: String

    let render: @Sendable (Any, Int) -> Rendering?
    let parse: @Sendable (String) -> Any?

    /// Makes a format.
    ///
    /// - Parameters:
    ///   - type: The type whose values it is for.
    ///   - style: How the text stands in an answer.
    ///   - example: What would be typed for a value, with its quotes.
    ///   - render: Makes the text; the number is how many bytes of it are shown at most.
    ///   - parse: Reads the text again; nil if it is no such value.
    public init<Value>(
        _ type: Value.Type, style: Style = .quoted, example: String,
        render: @escaping @Sendable (Value, Int) -> Rendering,
        parse: @escaping @Sendable (String) -> Value?
    ) {
        self.type = type
        self.style = style
        self.example = example
        self.render = { value, bytes in (value as? Value).map { render($0, bytes) } }
        self.parse = { text in parse(text) }
    }
}
