#if TELLTALE_COMPILED
/// A value that is shown as a text and is none: a date, a duration, a measurement.
///
/// Two values with the same text are equal; only values of a known order are ordered, since as a
/// text `9.0 seconds` would follow `10.0 seconds`.
package struct ShownText: Sendable, Equatable {
    package let text: String
    package let type: String
    let order: Order?

    /// The text's value as a number.
    struct Order: Sendable, Equatable {
        enum Measure { case moment, length }
        let measure: Measure
        let seconds: Double
    }

    package init(_ text: String, type: String) {
        self.text = text
        self.type = type
        order = Self.measure(of: type).flatMap { Self.order(of: text, as: $0) }
    }

    /// The order of a text that is typed to be compared with this.
    ///
    /// - Throws: If this has no order, or the text is not such a value.
    func order(typed text: String) throws(ExpressionFailure) -> Order {
        guard let order else { throw unordered }
        guard let typed = Self.order(of: text, as: order.measure) else {
            let example = order.measure == .moment ? "2026-11-21T03:12:45Z" : "1.5 seconds"
            throw ExpressionFailure(
                .wrongType,
                "\(Literal.quoted(text)) is not a \(Self.inner(type)), as \(Literal.quoted(example)) is"
            )
        }
        return typed
    }

    func isSame(as other: ShownText) -> Bool {
        if let order, let other = other.order, order.measure == other.measure {
            return order.seconds == other.seconds
        }
        return text == other.text
    }

    func isSame(as text: String) -> Bool {
        isSame(as: ShownText(text, type: type))
    }

    var unordered: ExpressionFailure {
        ExpressionFailure(.wrongType, "texts of type \(type) have no order here")
    }

    // MARK: Types

    /// The order of these is that of their texts.
    private static let texts: Set = [
        "String", "Substring", "StaticString", "Character", "Unicode.Scalar", "Scalar", "NSString",
        "NSMutableString", "URL", "NSURL", "UUID", "NSUUID",
    ]

    static func isText(_ type: String) -> Bool { texts.contains(inner(type)) }

    private static func measure(of type: String) -> Order.Measure? {
        switch inner(type) {
        case "Date", "NSDate": .moment
        case "Duration": .length
        default: nil
        }
    }

    /// `Duration` of `Atomic<Duration>?`.
    private static func inner(_ type: String) -> String {
        var name = type[...]
        if let open = name.lastIndex(of: "<") { name = name[name.index(after: open)...] }
        while let last = name.last, last == ">" || last == "?" { name.removeLast() }
        return String(name)
    }

    // MARK: Texts

    private static func order(of text: String, as measure: Order.Measure) -> Order? {
        let seconds = measure == .moment ? moment(text) : length(text)
        return seconds.map { Order(measure: measure, seconds: $0) }
    }

    private static let units = [
        "seconds": 1, "second": 1, "s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9,
    ]

    /// `26.1 seconds`.
    private static func length(_ text: String) -> Double? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, let number = Double(words[0]), number.isFinite,
            let unit = units[String(words[1])]
        else { return nil }
        return number * unit
    }

    /// `2026-11-21T03:12:45.118Z`, also with an offset, without a time, or `@1.5` since 1970.
    private static func moment(_ text: String) -> Double? {
        if text.hasPrefix("@") {
            return Double(text.dropFirst()).flatMap { $0.isFinite ? $0 : nil }
        }
        var digits = MomentScanner(bytes: Array(text.utf8))
        return digits.moment()
    }
}
#endif
