import TelltaleProtocol
import TelltaleSystem

extension Session {
    func loadHistory() {
        guard let history else { return }
        do throws(SystemError) {
            for line in try history.load(bound: Self.historyBound) {
                editor.remember(line, bound: Self.historyBound)
                words.remember(line, bound: Self.historyBound)
            }
        } catch {
            sayHistory(error)
        }
    }

    /// Remembers a line for this session, also one that fails, so that it can be mended; never one that names a
    /// secret.
    ///
    /// - Returns: The line, where the file is to have it too unless the agent knows it for a secret's.
    func remember(_ line: String, _ parts: [SessionLine.Part]) -> String? {
        guard lastRemembered != line else { return nil }
        lastRemembered = line
        // For several commands, and for output piped to other programs, the whole line is examined.
        var only = parts.count == 1 && parts[0].destination == nil ? parts[0] : nil
        _ = only?.takeJSON()
        let request = only.flatMap { (try? CommandLineParser.parse($0.command)) ?? nil }
        guard HistoryPolicy.keeps(line, request) else { return nil }
        editor.remember(line, bound: Self.historyBound)
        words.remember(line, bound: Self.historyBound)
        return line
    }

    /// Adds a line to the file, which later sessions read.
    func store(_ line: String) {
        guard let history else { return }
        do throws(SystemError) {
            try history.append(line)
        } catch {
            sayHistory(error)
        }
    }

    private func sayHistory(_ error: SystemError) {
        guard !isHistorySaid else { return }
        isHistorySaid = true
        output.warn("the history is not kept: \(error)")
    }
}
