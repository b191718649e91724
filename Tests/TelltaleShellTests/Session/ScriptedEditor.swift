import TelltaleShell

/// A line editor whose lines a test has written beforehand.
final class ScriptedEditor: LineEditor {
    var interrupt: Int32?
    var completer: ((HalfTypedLine) -> Completion)?
    private(set) var prompts: [String] = []
    private(set) var remembered: [String] = []
    /// Called before each line with its number, from 0.
    var beforeLine: (Int) -> Void = { _ in }
    private var lines: [EditedLine]

    init(_ lines: [EditedLine]) { self.lines = lines.reversed() }

    func read(prompt: String) -> EditedLine {
        beforeLine(prompts.count)
        prompts.append(prompt)
        return lines.popLast() ?? .end
    }

    func remember(_ line: String, bound: Int) { remembered.append(line) }
}
