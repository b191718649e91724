#if TELLTALE_AGENT
/// The first word of objects that a search of memory looks for: a Swift object's class, or a C object's
/// table of functions.
///
/// Stored as its complement: the plain word in a table of the agent's, beside what a freed block had left
/// there, was taken for an object. A type of the agent's own, so that containers of it are recognised as the
/// agent's and not as a retaining path to a target.
package struct FirstWord: Hashable, Comparable, Sendable {
    private let complement: UInt

    package init(_ word: UInt) { complement = ~word }

    package var word: UInt { ~complement }

    /// Returns true if `word` is within a page of this one, as the tables of one library are.
    package func isNear(_ word: UInt) -> Bool {
        max(word, self.word) - min(word, self.word) < 1 << 12
    }

    package static func < (one: FirstWord, other: FirstWord) -> Bool {
        one.complement > other.complement
    }
}
#endif
