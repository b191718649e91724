import TelltaleProtocol
import TelltaleSystem

/// A line on the terminal's standard error during a slow answer: it is removed before the answer
/// comes.
package final class ProgressLine {
    private let output: any ShellOutput
    private var isShown = false

    private init(_ output: any ShellOutput) { self.output = output }

    /// - Returns: `nil` if standard error is not a terminal: progress is for a reader.
    package static func onTerminal(
        _ output: any ShellOutput, isTerminal: Bool = TerminalFacts.isTerminal(2)
    ) -> ProgressLine? {
        isTerminal ? ProgressLine(output) : nil
    }

    /// Says so for the first time, and then a dot more each time.
    package func show(_ words: StaticString) {
        output.writeError(isShown ? TerminalText(own: ".") : TerminalText(own: words))
        isShown = true
    }

    /// Takes the line away, if there is one.
    package func clear() {
        guard isShown else { return }
        isShown = false
        // Also for a terminal that knows nothing but this.
        output.writeError(
            TerminalText(own: "\r                                                            \r"))
    }
}
