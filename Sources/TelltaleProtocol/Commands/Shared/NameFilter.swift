#if TELLTALE_COMPILED
/// A word that names are searched for, in whichever case; all names fit where it is nil.
///
/// A word may have a megabyte, and thousands of names be asked: it is folded once, and compared with no name that
/// is too short to hold it.
package struct NameFilter: Sendable {
    private let word: String?

    package init(_ word: String?) { self.word = word?.lowercased() }

    /// Returns whether one of the names contains the word.
    package func fits(_ names: String...) -> Bool {
        guard let word else { return true }
        return names.contains { $0.mayHold(word) && $0.lowercased().contains(word) }
    }
}

extension StringProtocol {
    /// Returns whether the last parts of a name with dots are `name`: `Album.Cover` of `Photos.Album.Cover`.
    package func endsWithPart(_ name: String) -> Bool { mayHold(name) && hasSuffix("." + name) }

    /// False where a text is too short for another: composed characters are up to three times as long in the
    /// other form.
    fileprivate func mayHold(_ other: String) -> Bool { other.utf8.count <= utf8.count * 4 }
}
#endif
