package import TelltaleProtocol

extension Listing {
    private static let heading = [
        "PID", "NAME", "USER", "UP", "STATE", "STUCK", "OLDEST", "RSS", "MODE",
    ]

    /// The listing as a table.
    package var text: TerminalText {
        var columns = ColumnText()
        columns.append(Self.heading)
        for process in processes {
            let row = Self.row(process)
            columns.append(row.cells, tail: row.tail)
        }
        return TerminalText(lines: columns.lines)
    }

    private static func row(_ process: ListedProcess) -> (cells: [String], tail: String?) {
        let pid = process.innerPid.map { "\(process.pid)(\($0))" } ?? "\(process.pid)"
        let start = [
            pid, process.name, process.user,
            process.uptimeSeconds.map(Quantity.uptime) ?? "-",
        ]
        if process.state == "no agent" {
            return (start, "no agent \(process.note ?? "")")
        }
        return (
            start + [
                process.state, process.stuck ?? "-",
                process.oldestSeconds.map(Quantity.seconds) ?? "-",
                process.residentBytes.map(Quantity.bytes) ?? "-", process.mode ?? "-",
            ], nil
        )
    }
}
