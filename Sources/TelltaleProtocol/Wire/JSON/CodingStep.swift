#if TELLTALE_COMPILED
/// A position below the top of a coded value: the last key, and the path to it.
///
/// A list from the end to the begin: the path as an array is only needed for an error, and would
/// cost a copy for each value.
final class CodingStep: Sendable {
    private let key: any CodingKey
    private let parent: CodingStep?

    init(_ key: any CodingKey, after parent: CodingStep?) {
        self.key = key
        self.parent = parent
    }

    static func path(_ last: CodingStep?) -> [any CodingKey] {
        var keys: [any CodingKey] = []
        var step = last
        while let current = step {
            keys.append(current.key)
            step = current.parent
        }
        return keys.reversed()
    }
}

/// A coding key that can be any member's name or any index.
struct JSONCodingKey: CodingKey {
    private let name: String?
    let intValue: Int?

    /// Formatted only when it is asked for: each element of an array has one.
    var stringValue: String { name ?? "\(intValue ?? 0)" }

    init(_ string: String) {
        name = string
        intValue = Int(string)
    }

    init(index: Int) {
        name = nil
        intValue = index
    }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(index: intValue) }
}
#endif
