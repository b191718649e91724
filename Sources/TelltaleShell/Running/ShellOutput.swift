package import TelltaleProtocol
package import TelltaleSystem

package protocol ShellOutput: AnyObject {
    /// Writes an answer.
    ///
    /// - Throws: Why it could not be written: the reader has gone, the disk is full.
    func write(_ text: TerminalText) throws(SystemError)
    /// Writes text that is not an answer: errors and remarks.
    func writeError(_ text: TerminalText)
}

extension ShellOutput {
    /// Writes an answer; where that fails, so does the command.
    func show(_ text: TerminalText) throws(CommandFailure) {
        do throws(SystemError) {
            try write(text)
        } catch {
            throw CommandFailure(.hostError, "the answer could not be written: \(error)")
        }
    }

    func warn(_ remark: String) {
        writeError(TerminalText(lines: ["telltale: \(remark)"]))
    }
}

package final class StandardOutput: ShellOutput {
    /// Takes the streams that the program was started with.
    package init() { TerminalFacts.fillStandardDescriptors() }

    package func write(_ text: TerminalText) throws(SystemError) {
        try DescriptorWriter.write(text.text.utf8, to: 1, name: "standard output")
    }

    package func writeError(_ text: TerminalText) {
        // There is nowhere left to say that this failed.
        try? DescriptorWriter.write(text.text.utf8, to: 2, name: "standard error")
    }
}
