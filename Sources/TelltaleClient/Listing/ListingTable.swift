package import TelltaleProtocol

extension Listing {
    /// The listing as a table.
    package var text: TerminalText {
        // One process's name must not push all others out of sight.
        let titles = ["pid", "name", "user", "up", "state", "stuck", "oldest", "rss", "mode"]
        var table = TextTable(titles.map { .init($0, widest: 64) })
        for process in processes {
            let row = Self.row(process)
            table.add(row.cells, tail: row.tail)
        }
        return TerminalText(lines: table.rendered(TextStyle()))
    }

    private static func row(_ process: ListedProcess) -> (cells: [String], tail: String?) {
        let pid = process.innerPid.map { "\(process.pid)(\($0))" } ?? "\(process.pid)"
        let start = [
            pid, process.name, process.user,
            process.uptimeSeconds.map(Quantity.uptime) ?? "",
        ]
        if process.state == "no agent" {
            return (start, "no agent \(process.note ?? "")")
        }
        return (
            start + [
                process.state, process.stuck ?? "",
                process.oldestSeconds.map { Quantity.time(seconds: $0, .field) } ?? "",
                process.residentBytes.map { Quantity.bytes($0, .field) } ?? "",
                process.mode ?? "",
            ], nil
        )
    }
}
