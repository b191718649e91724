#if TELLTALE_COMPILED
/// An argument of a call as it was typed, before its type is known: a value, or the path of an
/// object.
public struct ArgumentText: Sendable, Equatable {
    /// The label before the colon.
    public var label: String?
    /// The value, without spaces around it.
    public var text: String

    /// Splits the text between the parentheses of a call.
    ///
    /// - Parameter text: The arguments as typed; nothing or spaces for none.
    /// - Returns: The arguments in their order.
    /// - Throws: A failure of usage where a text or a bracket has no end.
    public static func all(of text: String) throws(CommandFailure) -> [ArgumentText] {
        var scanner = try TextScanner(text, maximumBytes: Literal.maximumBytes)
        var arguments: [ArgumentText] = []
        scanner.skipSpace()
        while !scanner.isAtEnd {
            arguments.append(try argument(&scanner))
            guard scanner.skip(",") else { break }
            scanner.skipSpace()
        }
        guard scanner.isAtEnd else {
            throw scanner.failure("\(scanner.found) closes nothing")
        }
        return arguments
    }

    private static func argument(
        _ scanner: inout TextScanner
    ) throws(CommandFailure) -> ArgumentText {
        var start = scanner.offset
        var label: String?
        if let name = try scanner.name() {
            scanner.skipSpace()
            if scanner.skip(":") {
                label = name
                scanner.skipSpace()
                start = scanner.offset
            }
        }
        scanner.rewind(to: start)
        var open: [Unicode.Scalar] = []
        while let scalar = scanner.peek() {
            if open.isEmpty, scalar == "," || ")]}".unicodeScalars.contains(scalar) { break }
            switch scalar {
            case "\"", "`": _ = try scanner.quoted()
            case "(", "[", "{":
                open.append(scalar == "(" ? ")" : scalar == "[" ? "]" : "}")
                _ = scanner.next()
            case ")", "]", "}":
                guard open.popLast() == scalar else {
                    throw scanner.failure("\(scanner.found) closes nothing")
                }
                _ = scanner.next()
            default: _ = scanner.next()
            }
        }
        if let missing = open.last { throw scanner.failure("'\(missing)' is missing") }
        let typed = scanner.text(from: start).trimmed
        guard !typed.isEmpty else { throw scanner.failure("an argument is missing") }
        return ArgumentText(label: label, text: typed)
    }
}
#endif
