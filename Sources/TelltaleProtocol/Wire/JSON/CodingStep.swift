#if TELLTALE_COMPILED
/// A place below the top of what is coded: the last key, and the way there.
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

    /// The keys from the top.
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
#endif
