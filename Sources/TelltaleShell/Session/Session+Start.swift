import TelltaleProtocol

extension Session {
    /// Two lines: the service of the session, and the first words to type.
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
                "doctor: what is wrong   objects: what there is   PATH: a value   help   quit",
            ]))
    }

    /// Runs the lines of the start file; a line that fails is reported with its number, and ends
    /// nothing.
    func runStartFile() {
        guard let startFile else { return }
        defer { startLine = nil }
        for line in StartFile.lines(of: startFile, warning: { output.warn($0) }) {
            startLine = line
            guard (try? run(line, isKept: false)) == true else { return }
        }
    }
}
