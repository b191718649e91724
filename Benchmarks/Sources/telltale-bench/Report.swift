import TelltaleProtocol

/// All results of a run, as a table or as JSON.
struct Report {
    var measurements: [Measurement] = []
    /// The measurements that failed, by benchmark, with the reason.
    var failures: [(benchmark: String, reason: String)] = []

    /// Indicates that everything was measured and stayed within its limit.
    var isAllRight: Bool {
        failures.isEmpty && !measurements.contains(where: \.isOverLimit)
    }

    /// The heading above the table: figures mean nothing without it.
    static func heading(isQuick: Bool) -> String {
        var line = "telltale-bench: \(BuildMode.current.rawValue) build"
        line += BuildMode.hasAgent ? ", with the agent" : ", without the agent"
        if isQuick { line += ", a tenth of the rounds" }
        if BuildMode.current == .debug { line += "; `make bench` makes figures to publish" }
        return line
    }

    var lines: [String] {
        let rows = measurements.map { result in
            [
                result.name, Self.text(result.series.median, result.unit),
                Self.text(result.series.quantile(0.1), result.unit),
                Self.text(result.series.quantile(0.9), result.unit), "\(result.series.count)",
                result.ratio.map { "\(Quantity.decimal($0, places: $0 < 0.1 ? 4 : 2)) x" } ?? "",
                result.baseline.map {
                    "\($0.name) \(Self.text($0.series.median, result.unit))"
                } ?? "",
                promise(of: result),
            ]
        }
        let titles = ["benchmark", "median", "p10", "p90", "n", "ratio", "against", "promise"]
        var table = TextTable(titles.map { .init($0) })
        for row in rows { table.add(row) }
        return table.rendered(TextStyle())
            + failures.map { "\($0.benchmark): not measured: \($0.reason)" }
    }

    private func promise(of result: Measurement) -> String {
        var words: [String] = []
        if let limit = result.limit { words.append("limit \(Quantity.decimal(limit, places: 3))") }
        if let bound = result.bound { words.append("bound \(Self.text(bound, result.unit))") }
        if let bound = result.tailBound {
            words.append(
                "p95 \(Self.text(result.tail, result.unit)), bound \(Self.text(bound, result.unit))"
            )
        }
        if result.isOverLimit { words.append("OVER THE LIMIT") }
        return words.joined(separator: "  ")
    }

    /// A number with its unit, at three digits or so.
    static func text(_ value: Double, _ unit: Measurement.Unit) -> String {
        switch unit {
        case .seconds: Quantity.measured(seconds: value)
        case .bytes: Quantity.measured(bytes: value)
        case .bytesPerSecond: Quantity.measured(bytes: value) + "/s"
        case .cpuSharePercent: Quantity.percent(value / 100, places: 4)
        case .perSecond: Quantity.decimal(value, places: 2) + "/s"
        case .count: Quantity.decimal(value, places: 0)
        }
    }
}

extension Report {
    /// The results as one document. Its fields are only ever added to.
    func json(isQuick: Bool) -> JSONValue {
        .object([
            JSONMember("build", .string(BuildMode.current.rawValue)),
            JSONMember("agent", .bool(BuildMode.hasAgent)),
            JSONMember("quick", .bool(isQuick)),
            JSONMember("measurements", .array(measurements.map(Self.json))),
            JSONMember(
                "failures",
                .array(
                    failures.map { failure in
                        .object([
                            JSONMember("benchmark", .string(failure.benchmark)),
                            JSONMember("reason", .string(failure.reason)),
                        ])
                    })),
        ])
    }

    private static func json(_ measurement: Measurement) -> JSONValue {
        var members = [
            JSONMember("name", .string(measurement.name)),
            JSONMember("unit", .string(measurement.unit.rawValue)),
        ]
        members += json(measurement.series)
        if let baseline = measurement.baseline {
            members.append(
                JSONMember(
                    "against",
                    .object(
                        [JSONMember("name", .string(baseline.name))] + json(baseline.series))))
        }
        if let ratio = measurement.ratio { members.append(JSONMember("ratio", .double(ratio))) }
        if let limit = measurement.limit { members.append(JSONMember("limit", .double(limit))) }
        if let bound = measurement.bound { members.append(JSONMember("bound", .double(bound))) }
        if let bound = measurement.tailBound {
            members.append(JSONMember("p95", number(measurement.tail)))
            members.append(JSONMember("p95Bound", .double(bound)))
        }
        if measurement.limit != nil || measurement.bound != nil || measurement.tailBound != nil {
            members.append(JSONMember("isOverLimit", .bool(measurement.isOverLimit)))
        }
        return .object(members)
    }

    private static func json(_ series: Series) -> [JSONMember] {
        [
            JSONMember("count", .number(series.count)),
            JSONMember("median", number(series.median)),
            JSONMember("p10", number(series.quantile(0.1))),
            JSONMember("p90", number(series.quantile(0.9))),
        ]
    }

    /// JSON has no word for what is no number.
    private static func number(_ value: Double) -> JSONValue {
        value.isFinite ? .double(value) : .null
    }
}
