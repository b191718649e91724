import TelltaleProtocol

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
        if measurement.limit != nil || measurement.bound != nil {
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
