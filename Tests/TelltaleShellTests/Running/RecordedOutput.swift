import TelltaleProtocol
import TelltaleShell
import TelltaleSystem
import TelltaleTestSupport

/// The output of a shell.
final class RecordedOutput: ShellOutput {
    private let output = RecordedText()
    private let errors = RecordedText()

    var text: String { output.text }
    var errorText: String { errors.text }

    func write(_ text: TerminalText) throws(SystemError) { output.append(text.text) }
    func writeError(_ text: TerminalText) { errors.append(text.text) }
}
