package import TelltaleSystem

/// Where answers go.
package protocol ShellOutput: AnyObject {
    /// Writes an answer.
    ///
    /// - Throws: Why it could not be written: the reader has gone, the disk is full.
    func write(_ text: String) throws(SystemError)
    /// Writes what is not an answer: errors and remarks.
    func writeError(_ text: String)
}

/// Standard output and standard error.
package final class StandardOutput: ShellOutput {
    /// Takes the streams that the program was started with.
    package init() { TerminalFacts.fillStandardDescriptors() }

    package func write(_ text: String) throws(SystemError) {
        try DescriptorWriter.write(text.utf8, to: 1, name: "standard output")
    }

    package func writeError(_ text: String) {
        // There is nowhere left to say that this failed.
        try? DescriptorWriter.write(text.utf8, to: 2, name: "standard error")
    }
}
