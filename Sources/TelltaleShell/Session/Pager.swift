package import TelltaleProtocol
import TelltaleSystem

/// Shows text that is longer than the terminal a page at a time.
package struct Pager: Sendable {
    private let command: String
    private let rows: Int

    /// The user's pager, else `less -FRX`; `nil` without one or without a terminal.
    package init?(_ environment: (String) -> String?) {
        guard TerminalFacts.isTerminal(0), TerminalFacts.isTerminal(1),
            let size = TerminalFacts.size(of: 1)
        else { return nil }
        rows = size.rows
        if let own = environment("PAGER") {
            guard !own.isEmpty, own != "cat" else { return nil }
            command = own
        } else if ChildProcess.isInstalled("less", path: environment("PATH") ?? "/usr/bin:/bin") {
            // The screen keeps the answer once the pager has ended (-X); a page needs no key (-F). A command that
            // is typed on must not become one of the pager's that writes a file or starts a program (less(1)).
            command = "LESSSECURE=1 less -FRX '-Psspace shows more, q leaves'"
        } else {
            return nil
        }
    }

    /// Returns whether a text takes at least so many of the terminal's lines: a wider line takes
    /// several.
    static func isLonger(_ text: TerminalText, than rows: Int, columns: Int) -> Bool {
        var lines = 0
        for line in text.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            // A byte takes a column at most, so that most lines need not be measured.
            let isShort = line.utf8.count <= columns
            let width = isShort ? 1 : line.columnsWithoutColor
            lines += max(1, (width + columns - 1) / max(columns, 1))
            if lines >= rows { return true }
        }
        return false
    }

    /// Shows `text` in the pager if it is longer than the terminal; false if it is short, or the
    /// pager can't be started.
    package func show(_ text: TerminalText) -> Bool {
        let size = TerminalFacts.size(of: 1)
        guard Self.isLonger(text, than: size?.rows ?? rows, columns: size?.columns ?? 80),
            let child = try? ChildProcess(shell: command)
        else { return false }
        // A pager that is left early no longer reads; that is not an error.
        _ = child.write(text.text)
        let status = child.finish()
        // 126 and 127 are the shell's: the pager can't be run, so nothing has been shown.
        return status != 126 && status != 127
    }
}
