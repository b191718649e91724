import TelltaleProtocol
import TelltaleSystem

extension SessionLine.Destination {
    /// Gives an answer to the program, or writes it into the file.
    func take(_ text: TerminalText) throws(CommandFailure) {
        do throws(SystemError) {
            switch self {
            case .program(let line):
                let child = try ChildProcess(shell: line)
                // A program that has read enough, as `head` does, is not an error.
                _ = child.write(text.text)
                _ = child.finish()
            case .file(var name, let isAdded):
                if name.hasPrefix("~/"), let home = ProcessIdentity.environment("HOME") {
                    name = home + name.dropFirst()
                }
                if isAdded {
                    try PrivateFile.append(Array(text.text.utf8), to: name)
                } else {
                    try PrivateFile.replace(name, with: Array(text.text.utf8))
                }
            }
        } catch {
            throw CommandFailure(.hostError, "the answer could not be written: \(error)")
        }
    }
}
