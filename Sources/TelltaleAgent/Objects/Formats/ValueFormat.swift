/// How the values of one type are shown and typed, where its fields would tell a person nothing:
/// a date, a URL.
///
/// A value is made anew for `render` from bytes that the agent has read, and only if it holds nothing but
/// numbers: integers, floating point, `Bool`, enums, and structs and tuples of them. What refers to other
/// memory (strings, arrays, objects, pointers) may be freed or half written at that moment, and to call
/// code with it could end the service: such a value is shown by its fields, with a note that its format
/// was not used. What is typed is parsed in both cases.
///
/// - Important: While something else writes a value without its owner, what is rendered may be a mix of
///   the old one and the new one, as under any data race: `render` takes every combination of fields that
///   the type can hold. It runs on the owner of the object that the value stands in, or on a thread of
///   the agent's for a snapshot; it takes no locks and is quick.
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

    #if TELLTALE_AGENT
    /// How the text comes about.
    enum Way: Sendable {
        /// A closure of the host's gets a value that was made anew.
        case called(@Sendable (Any, Int) -> Rendering?)
        /// The agent's own code reads the value where it stands. Its text is nil where that can't
        /// be read; `isKnown` says whether values of the type are stored as it expects.
        case read(isKnown: @Sendable () -> Bool, @Sendable (StoredValue, Int) -> Rendering?)
        /// It has none: the part at the end of these properties stands for it.
        case stands([String])
    }
    let way: Way
    /// When code of the host's runs for it.
    private(set) var run: RunOptions = []
    /// Whether its text is an encoding of bytes, in which no name of a secret stands before one.
    private(set) var isEncoded = false
    #endif
    let parse: @Sendable (String) -> Any?
    /// Whether values can be typed; those of some libraries' types are only shown.
    var isTyped: Bool { !example.isEmpty }

    /// Makes a format.
    ///
    /// - Parameters:
    ///   - type: The type whose values it is for.
    ///   - style: How the text stands in an answer.
    ///   - example: What would be typed for a value, with its quotes.
    ///   - options: `.inReadOnlyMode` has a read-only agent use it too, which otherwise shows the fields.
    ///   - render: Makes the text; the number is how many bytes of it are shown at most. Only for
    ///     values without references.
    ///   - parse: Reads the text again; nil if it is no such value.
    public init<Value>(
        _ type: Value.Type, style: Style = .quoted, example: String, run options: RunOptions = [],
        render: @escaping @Sendable (Value, Int) -> Rendering,
        parse: @escaping @Sendable (String) -> Value?
    ) {
        self.type = type
        self.style = style
        self.example = example
        #if TELLTALE_AGENT
        way = .called { value, bytes in (value as? Value).map { render($0, bytes) } }
        run = options
        #endif
        self.parse = { text in parse(text) }
    }

    #if TELLTALE_AGENT
    /// Makes a format that reads values where they stand. `isKnown` says whether values of the type are
    /// stored as `read` expects, and is asked before each; `read` and `parse` give nil for what is no such
    /// value. `example` is what would be typed, with its quotes. A text that `isEncoded` is not searched for
    /// secrets: in base 64 a name and its value can't be told apart, and 4 kB of it took a millisecond.
    package init<Value>(
        stored type: Value.Type, style: Style = .quoted, example: String, isEncoded: Bool = false,
        isKnown: @escaping @Sendable () -> Bool,
        read: @escaping @Sendable (StoredValue, Int) -> Rendering?,
        parse: @escaping @Sendable (String) -> Value?
    ) {
        self.type = type
        self.style = style
        self.example = example
        way = .read(isKnown: isKnown, read)
        self.isEncoded = isEncoded
        self.parse = { text in parse(text) }
    }

    /// Makes one of a class that has no name here.
    package init(
        storedClass type: AnyClass, style: Style,
        read: @escaping @Sendable (StoredValue, Int) -> Rendering?
    ) {
        self.type = type
        self.style = style
        example = ""
        way = .read(isKnown: { true }, read)
        parse = { _ in nil }
    }

    /// Makes one of a type that has no text: a part of it, at the end of some stored properties, is shown
    /// in its place.
    package init<Value>(_ type: Value.Type, standsFor way: String...) {
        self.type = type
        style = .quoted
        example = ""
        self.way = .stands(way)
        parse = { _ in nil }
    }
    #endif
}
