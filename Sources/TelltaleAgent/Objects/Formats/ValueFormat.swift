/// The text form in which the values of one type are shown and typed, for types such as a date or a URL whose
/// fields tell a person nothing.
///
/// The agent makes a new value for `render` from bytes it has read, and only if the value contains nothing
/// but numbers: integers, floating point, `Bool`, enums, and structs and tuples of them. References to other
/// memory (strings, arrays, objects, pointers) may be freed or half written at that moment, and code called
/// with them could crash the service. Such a value is shown by its fields, with a note that its format was
/// not used. Typed values are parsed in both cases.
///
/// - Important: While another thread writes a value without its owner, the rendered value may be a mix of the
///   old and the new one, as under any data race: `render` must accept every combination of fields that the
///   type can hold. It runs on the owner of the object that contains the value, or on a thread of the agent's
///   for a snapshot. It must be quick and must not take locks.
public struct ValueFormat: Sendable {
    /// The form of a value's text in an answer.
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
        /// The text, without quotes; ``ValueFormat`` parses it back.
        public var text: String
        /// Additional information for the reader: `5 bytes`.
        public var note: String?

        /// Makes a rendering.
        ///
        /// - Parameters:
        ///   - text: The text, without quotes.
        ///   - note: Additional information for the reader.
        public init(_ text: String, note: String? = nil) {
            self.text = text
            self.note = note
        }
    }

    /// The type of the values it formats; subclasses have their own formats.
    public let type: Any.Type
    /// The form of the text in an answer.
    public let style: Style
    /// An example of a typed value, for the hint of an error: `"2026-11-21T03:12:45Z"`.
    public let example: String

    #if TELLTALE_AGENT
    /// The source of the text.
    enum Way: Sendable {
        /// A closure of the host's renders a newly made value.
        case called(@Sendable (Any, Int) -> Rendering?)
        /// The agent's own code reads the value in place. The text is `nil` if the value can't be read;
        /// `isKnown` returns whether values of the type are stored as the code expects.
        case read(isKnown: @Sendable () -> Bool, @Sendable (StoredValue, Int) -> Rendering?)
        /// There is no text: the part at the end of these properties is its display proxy.
        case stands([String])
    }
    let way: Way
    /// The times at which host code runs for the format.
    private(set) var run: RunOptions = []
    /// True if the text encodes bytes, so a secret's name can't appear before its value.
    private(set) var isEncoded = false
    #endif
    let parse: @Sendable (String) -> Any?
    /// True if values can be typed; values of some library types are only shown.
    var isTyped: Bool { !example.isEmpty }

    /// Makes a format.
    ///
    /// - Parameters:
    ///   - type: The type of the values it formats.
    ///   - style: The form of the text in an answer.
    ///   - example: An example of a typed value, with its quotes.
    ///   - options: With `.inReadOnlyMode` a read-only agent uses the format too; otherwise it shows the
    ///     fields.
    ///   - render: Makes the text; the number is the maximum number of bytes shown. Only called for values
    ///     without references.
    ///   - parse: Parses the text; returns `nil` if the text is not such a value.
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
    /// Makes a format that reads values in place. `isKnown` returns whether values of the type are stored as
    /// `read` expects, and is called before each read. `read` and `parse` return `nil` for anything that is
    /// not such a value. `example` is a typed value, with its quotes. A text that `isEncoded` is not searched
    /// for secrets: in base 64 a name and its value can't be told apart, and a search of 4 kB took a
    /// millisecond.
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

    /// Makes the format of a class that has no name in this module.
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

    /// Makes the format of a type without a text: a part of the value, at the end of some stored properties,
    /// is its display proxy.
    package init<Value>(_ type: Value.Type, standsFor way: String...) {
        self.type = type
        style = .quoted
        example = ""
        self.way = .stands(way)
        parse = { _ in nil }
    }
    #endif
}
