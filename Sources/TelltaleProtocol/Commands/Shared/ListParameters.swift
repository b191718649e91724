#if TELLTALE_COMPILED
/// The parameters of a command that lists the entries that match a word.
package struct ListParameters: TypedParameters {
    /// Only those with this in their name.
    package var word: String?
    /// The number of entries listed; `nil` for 100.
    package var limit: Int?

    package init(of arguments: inout CommandArguments) throws(CommandFailure) {
        limit = try arguments.count("--limit")
        word = arguments.optionalWord()
    }

    /// Returns the number of entries to list, at most `most`.
    package func count(most: Int) -> Int { min(max(limit ?? 100, 0), most) }

    /// The filter that admits names which contain the word, ignoring case.
    package var filter: NameFilter { NameFilter(word) }
}
#endif
