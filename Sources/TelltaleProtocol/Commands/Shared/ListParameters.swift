#if TELLTALE_COMPILED
/// What a command takes that lists what fits a word.
package struct ListParameters: JSONCodable {
    /// Only those with this in their name.
    package var word: String?
    /// How many are listed; nil for 100.
    package var limit: Int?

    package init(_ arguments: inout CommandArguments) throws(CommandFailure) {
        limit = try arguments.count("--limit")
        word = arguments.optionalWord()
    }

    /// How many are to be listed, of `most` that there may be.
    package func count(most: Int) -> Int { min(max(limit ?? 100, 0), most) }

    /// Whether one of some names has the word in it, in whichever case.
    package func fits(_ names: String...) -> Bool {
        guard let word = word?.lowercased() else { return true }
        return names.contains { $0.lowercased().contains(word) }
    }
}
#endif
