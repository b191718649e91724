import TelltaleProtocol

extension Session {
    /// Two lines: whose session it is, and what to type.
    func greet() {
        let hello = link.hello
        var facts = [
            "\(hello.name) (pid \(link.pid))", "up \(Quantity.uptime(hello.uptimeSeconds))",
            Quantity.bytes(hello.residentBytes), hello.mode,
        ]
        if let user = link.otherUser { facts.append("\(user)'s") }
        output.writeError(
            TerminalText(lines: [
                facts.joined(separator: ", "),
                "stuck: what hangs   objects: what there is   PATH: a value   help   quit",
            ]))
    }

    /// Runs the lines of the start file; one that fails is said, with where it stands, and ends nothing.
    func runStartFile() {
        guard let startFile else { return }
        defer { startLine = nil }
        for line in StartFile.lines(of: startFile, warning: { output.warn($0) }) {
            startLine = line
            guard (try? run(line, isKept: false)) == true else { return }
        }
    }
}
