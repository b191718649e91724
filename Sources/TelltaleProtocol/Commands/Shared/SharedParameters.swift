#if TELLTALE_COMPILED
/// The parameters of a command that leaves some out of its list, unless it is asked for all.
public struct AllParameters: JSONCodable {
    /// Also those that are idle, or of the system, or of the agent.
    public var all: Bool?
}

extension AllParameters: TypedParameters {
    package init(of arguments: inout CommandArguments) { all = arguments.flag("--all") }
}

/// The parameters of `resume`.
public struct HeldQueueParameters: JSONCodable {
    /// The queue's label, the end of it where that is enough, or its address.
    public var queue: String
}

extension HeldQueueParameters: TypedParameters {
    package init(of arguments: inout CommandArguments) throws(CommandFailure) {
        queue = try arguments.queue()
    }
}

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

/// The target of a last resort: an object of Dispatch. Also carries the user's confirmation.
package struct ForcedParameters: TypedParameters {
    /// Its address, as the listing of its kind shows it, or the path or the handle of a referrer.
    package var target: String
    package var isConfirmed: Bool?

    package init(target: String, isConfirmed: Bool? = nil) {
        (self.target, self.isConfirmed) = (target, isConfirmed)
    }

    package init(of arguments: inout CommandArguments) throws(CommandFailure) {
        isConfirmed = arguments.flag("--yes")
        target = try arguments.word("an address, a path or a handle")
    }
}
#endif
