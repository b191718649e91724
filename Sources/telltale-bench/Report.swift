/// All results of a run, as a table or as JSON.
struct Report {
    var measurements: [Measurement] = []
    /// What could not be measured, by benchmark, with the reason.
    var failures: [(benchmark: String, reason: String)] = []

    /// Whether everything was measured and stayed within its limit.
    var isAllRight: Bool {
        failures.isEmpty && !measurements.contains(where: \.isOverLimit)
    }

    /// What stands above the table: figures mean nothing without it.
    static func heading(isQuick: Bool) -> String {
        var line = "telltale-bench: \(BuildMode.current.rawValue) build"
        line += BuildMode.hasAgent ? ", with the agent" : ", without the agent"
        if isQuick { line += ", a tenth of the rounds" }
        if BuildMode.current == .debug { line += "; `make bench` makes figures to publish" }
        return line
    }

    /// The table, one line a measurement.
    var lines: [String] {
        let rows = measurements.map { result in
            [
                result.name, Self.text(result.series.median, result.unit),
                Self.text(result.series.quantile(0.1), result.unit),
                Self.text(result.series.quantile(0.9), result.unit), "\(result.series.count)",
                result.ratio.map { "\(Self.decimal($0, places: $0 < 0.1 ? 4 : 2)) x" } ?? "",
                result.baseline.map {
                    "\($0.name) \(Self.text($0.series.median, result.unit))"
                } ?? "",
                promise(of: result),
            ]
        }
        let table = [["benchmark", "median", "p10", "p90", "n", "ratio", "against", ""]] + rows
        return Self.aligned(table)
            + failures.map { "\($0.benchmark): not measured: \($0.reason)" }
    }

    private func promise(of result: Measurement) -> String {
        var words: [String] = []
        if let limit = result.limit { words.append("limit \(Self.decimal(limit, places: 3))") }
        if let bound = result.bound { words.append("bound \(Self.text(bound, result.unit))") }
        if result.isOverLimit { words.append("OVER THE LIMIT") }
        return words.joined(separator: "  ")
    }

    private static func aligned(_ table: [[String]]) -> [String] {
        let columns = table.first?.count ?? 0
        let widths = (0..<columns).map { column in
            table.map { $0[column].count }.max() ?? 0
        }
        return table.map { row in
            var line = ""
            for (cell, width) in zip(row, widths) {
                line += cell + String(repeating: " ", count: width - cell.count + 2)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// A number with its unit, at three digits or so.
    static func text(_ value: Double, _ unit: Measurement.Unit) -> String {
        switch unit {
        case .seconds: scaled(value, names: ["ns", "us", "ms", "s"], one: 1e-9)
        case .bytes: scaled(value, names: ["B", "kB", "MB", "GB"], one: 1)
        case .bytesPerSecond: scaled(value, names: ["B/s", "kB/s", "MB/s", "GB/s"], one: 1)
        case .cpuSharePercent: "\(decimal(value, places: 4)) %"
        case .perSecond: "\(decimal(value, places: 2))/s"
        case .count: decimal(value, places: 0)
        }
    }

    private static func scaled(_ value: Double, names: [String], one: Double) -> String {
        var value = value / one
        var name = ""
        for candidate in names {
            name = candidate
            if value < 1000 || candidate == names.last { break }
            value /= 1000
        }
        return "\(decimal(value, places: value < 100 ? 2 : 0)) \(name)"
    }

    /// A number with fixed places; no Foundation here.
    static func decimal(_ value: Double, places: Int) -> String {
        guard value.isFinite, value.magnitude < 1e15 else { return "\(value)" }
        var power = 1.0
        for _ in 0..<places { power *= 10 }
        let scaled = Int64((value.magnitude * power).rounded())
        let sign = value < 0 && scaled > 0 ? "-" : ""
        let whole = scaled / Int64(power)
        guard places > 0 else { return "\(sign)\(whole)" }
        let digits = String(scaled % Int64(power))
        return "\(sign)\(whole)." + String(repeating: "0", count: places - digits.count) + digits
    }
}
