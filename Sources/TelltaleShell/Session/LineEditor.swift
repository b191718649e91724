/// Reads the lines of a session, with history and completion.
package protocol LineEditor: AnyObject {
    /// The pipe that can be read as soon as Ctrl-C was pressed; nil where there is none.
    var interrupt: Int32? { get }
    /// Asked how a half-typed line can go on.
    var completer: ((HalfTypedLine) -> Completion)? { get set }
    func read(prompt: String) -> EditedLine
    /// Adds a line to the history in memory, which keeps at most `bound` of them.
    func remember(_ line: String, bound: Int)
}

package enum EditedLine: Sendable, Equatable {
    case line(String)
    /// Ctrl-C: what had been typed is dropped.
    case interrupted
    /// Ctrl-D, or the terminal has gone.
    case end
}

/// What stands before the cursor.
package struct HalfTypedLine: Sendable, Equatable {
    package var text: String
    /// The byte at which the editor's word begins: a candidate replaces what follows.
    package var start: Int

    package init(text: String, start: Int) {
        self.text = text
        self.start = start
    }
}

package enum Completion: Sendable, Equatable {
    /// These words, each in place of the editor's word.
    case words([String])
    /// The names of files.
    case files
}
