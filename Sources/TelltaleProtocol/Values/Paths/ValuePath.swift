#if TELLTALE_COMPILED
/// The way to a value: a registered name or a handle, and steps from there.
///
/// `photos.items[2].title`, `cache["a b"]`, `photos.items[100..<200]`, `#7.title`, `pair.0`. A name
/// with other characters is in backquotes.
public struct ValuePath: Sendable, Equatable {
    /// The start of a path.
    public enum Root: Sendable, Equatable {
        /// A registered object.
        case name(String)
        /// An object that an answer has given a number.
        case handle(Int)
    }

    /// A step of a path.
    public enum Component: Sendable, Equatable {
        /// `.title`, and `.0` of a tuple.
        case property(String)
        /// `[2]`; for a dictionary whose keys are integers its key.
        case index(Int)
        /// `[100..<200]`.
        case range(Range<Int>)
        /// `["a b"]`, `[.red]`, `[-3]`.
        case key(Literal)
    }

    /// The root.
    public var root: Root
    /// The steps from there.
    public var components: [Component]

    /// The maximum number of steps of a path.
    public static let maximumComponents = 64
    /// The maximum length of a typed path, in bytes.
    public static let maximumBytes = 4096

    /// Makes a path.
    ///
    /// - Parameters:
    ///   - root: Where it begins.
    ///   - components: The steps from there.
    public init(root: Root, components: [Component] = []) {
        self.root = root
        self.components = components
    }

    /// Reads a path that takes the whole text.
    ///
    /// - Parameter text: The path as typed.
    /// - Throws: A failure of usage that names the column.
    public init(parsing text: String) throws(CommandFailure) {
        var parser = LiteralParser(try TextScanner(text, maximumBytes: Self.maximumBytes))
        self = try parser.path()
        let end = parser.scanner.offset
        parser.scanner.skipSpace()
        if let scalar = parser.scanner.peek(), scalar == "." || scalar == "[" {
            throw parser.scanner.failure("a space in the middle of a path", at: end)
        }
        guard parser.scanner.isAtEnd else {
            throw parser.scanner.failure(
                "\(parser.scanner.found) instead of '.', '[' or the end",
                hint: ValuePath.example)
        }
    }

    static let example =
        "Paths are photos, photos.items[0].title, cache[\"key\"], items[10..<20], #7."
}

extension ValuePath: CustomStringConvertible {
    /// The path as it is typed; reading it gives the same path again.
    public var description: String {
        let begin =
            switch root {
            case .name(let name): NameFormat.typed(name)
            case .handle(let number): "#\(number)"
            }
        return components.reduce(begin) { $0 + $1.description }
    }
}

extension ValuePath.Component: CustomStringConvertible {
    /// The step as it is typed, with its dot or brackets.
    public var description: String {
        switch self {
        case .property(let name): ".\(NameFormat.typed(name))"
        case .index(let index): "[\(index)]"
        case .range(let range): "[\(range.lowerBound)..<\(range.upperBound)]"
        case .key(let key): "[\(key)]"
        }
    }
}
#endif
