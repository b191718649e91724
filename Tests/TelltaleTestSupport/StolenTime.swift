/// The agent's reports on a machine that took the processor away for a moment: that the process has
/// resumed, though nothing stopped it, and for a minute that this is its state. The agent can't
/// know better, and no test stages it.
package enum StolenTime {
    /// A text as it would be had the processor never been taken away.
    ///
    /// - Parameters:
    ///   - text: What an agent or a client wrote.
    ///   - pid: Who stops and continues the process; what is said of that is kept.
    /// - Returns: `text` with the state `running` instead of `resumed`, and without the reports of other
    ///   pauses and the greetings that belong to them.
    package static func removed(from text: String, stoppedBy pid: Int32? = nil) -> String {
        let signs = ["RESUMED", "resumed", " lldb: ", " late=", "  woken late "]
        guard signs.contains(where: text.contains) else { return text }
        // Greetings at the beginning belong to a report that was read before.
        var isOthers = true
        var kept: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.contains(" RESUMED ") {
                isOthers = !continued(line, by: pid)
            } else if !line.contains(" lldb: ") {
                isOthers = false
            }
            if line.hasPrefix("  woken late ") { continue }
            if !isOthers { kept.append(withRunningState(line)) }
        }
        return kept.joined(separator: "\n")
    }

    private static func continued(_ line: Substring, by pid: Int32?) -> Bool {
        guard let pid, let by = line.firstRange(of: ", continued by pid=") else { return false }
        return Int32(line[by.upperBound...].prefix { $0.isNumber }) == pid
    }

    // `name(4242) resumed up=…`, and `4242 name root 1m resumed` with whatever follows.
    private static func withRunningState(_ line: Substring) -> String {
        let line = String(line).replacing(/\ late=\d+ mode=/, with: " mode=")
        guard line.contains("resumed") else { return line }
        return line.replacing(/\bresumed (?=up=)/, with: "running ")
            .replacing(#/^(\d+ +\S+ +\S+ +\S+ +)resumed\b/#, with: { "\($0.output.1)running" })
    }
}
