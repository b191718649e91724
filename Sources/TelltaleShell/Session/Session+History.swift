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

    /// Keeps a line, also one that failed, so that it can be mended; never one with a secret.
    func remember(_ line: String, _ parts: [SessionLine.Part]) {
        guard lastRemembered != line else { return }
        lastRemembered = line
        // For several commands, and for output piped to other programs, the whole line is examined.
        var only = parts.count == 1 && parts[0].destination == nil ? parts[0] : nil
        _ = only?.takeJSON()
        let request = only.flatMap { (try? CommandLineParser.parse($0.command)) ?? nil }
        guard HistoryPolicy.keeps(line, request) else { return }
        editor.remember(line, bound: Self.historyBound)
        words.remember(line, bound: Self.historyBound)
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
