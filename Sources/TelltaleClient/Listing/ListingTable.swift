import TelltaleProtocol

extension Listing {
    private static let heading = [
        "PID", "NAME", "USER", "UP", "STATE", "STUCK", "OLDEST", "RSS", "MODE",
    ]

    /// The listing as a table.
    package var text: String {
        var columns = ColumnText()
        columns.append(Self.heading)
        for process in processes {
            let row = Self.row(process)
            columns.append(row.cells, tail: row.tail)
        }
        return columns.text
    }

    private static func row(_ process: ListedProcess) -> (cells: [String], tail: String?) {
        let pid = process.innerPid.map { "\(process.pid)(\($0))" } ?? "\(process.pid)"
        let start = [
            pid, process.name.terminalSafe, process.user.terminalSafe,
            process.uptimeSeconds.map(Quantity.uptime) ?? "-",
        ]
        if process.state == "no agent" {
            return (start, "no agent \(process.note ?? "")")
        }
        return (
            start + [
                process.state.terminalSafe, process.stuck?.terminalSafe ?? "-",
                process.oldestSeconds.map(Quantity.seconds) ?? "-",
                process.residentBytes.map(Quantity.bytes) ?? "-", process.mode ?? "-",
            ], nil
        )
    }
}
