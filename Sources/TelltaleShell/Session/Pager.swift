package import TelltaleProtocol
import TelltaleSystem

/// Shows text that is longer than the terminal a page at a time.
package struct Pager: Sendable {
    private let command: String
    private let rows: Int

    /// The user's pager, else `less -R`; nil where there is none or no terminal.
    package init?(_ environment: (String) -> String?) {
        guard TerminalFacts.isTerminal(0), TerminalFacts.isTerminal(1),
            let size = TerminalFacts.size(of: 1)
        else { return nil }
        rows = size.rows
        if let own = environment("PAGER") {
            guard !own.isEmpty, own != "cat" else { return nil }
            command = own
        } else if ChildProcess.isInstalled("less", path: environment("PATH") ?? "/usr/bin:/bin") {
            command = "less -R"
        } else {
            return nil
        }
    }

    /// Shows `text` in the pager if it is longer than the terminal; false if it is short, or the
    /// pager can't be started.
    package func show(_ text: TerminalText) -> Bool {
        let rows = TerminalFacts.size(of: 1)?.rows ?? rows
        var lines = 0
        for byte in text.text.utf8 where byte == 10 {
            lines += 1
            if lines >= rows { break }
        }
        guard lines >= rows, let child = try? ChildProcess(shell: command) else { return false }
        // A pager that is left early no longer reads; that is no error.
        _ = child.write(text.text)
        let status = child.finish()
        // 126 and 127 are the shell's: the pager can't be run, so nothing has been shown.
        return status != 126 && status != 127
    }
}
