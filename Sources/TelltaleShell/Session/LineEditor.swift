/// Reads the lines of a session, with history and completion.
package protocol LineEditor: AnyObject {
    /// A pipe that is readable as soon as Ctrl-C was pressed; `nil` for none.
    var interrupt: Int32? { get }
    /// Called for the completions of a half-typed line.
    var completer: ((HalfTypedLine) -> Completion)? { get set }
    func read(prompt: String) -> EditedLine
    /// Adds a line to the history in memory, which keeps at most `bound` of them.
    func remember(_ line: String, bound: Int)
}

package enum EditedLine: Sendable, Equatable {
    case line(String)
    /// Ctrl-C: the typed text is dropped.
    case interrupted
    /// Ctrl-D, or the terminal has gone.
    case end
}

/// The text before the cursor.
package struct HalfTypedLine: Sendable, Equatable {
    package var text: String
    /// The byte at which the editor's word begins: a candidate replaces the text from there.
    package var start: Int

    package init(text: String, start: Int) {
        self.text = text
        self.start = start
    }
}

package enum Completion: Sendable, Equatable {
    case words([Candidate])
    case files
}

/// A completion of a half-typed line.
package struct Candidate: Sendable, Equatable, ExpressibleByStringLiteral {
    /// The replacement of the editor's word.
    package var word: String
    /// The text in a list of several.
    package var shown: String
    /// Indicates that it is only shown, and replaces nothing.
    package var isHint = false

    package init(_ word: String, shown: String? = nil) {
        self.word = word
        self.shown = shown ?? word
    }

    package init(stringLiteral word: String) { self.init(word) }

    package static func hint(_ text: String) -> Candidate {
        var hint = Candidate(text)
        hint.isHint = true
        return hint
    }
}
