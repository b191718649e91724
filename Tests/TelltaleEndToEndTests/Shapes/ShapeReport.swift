import Foundation
import TelltaleTestSupport

/// All shapes in one table, for developers who change the judgement of `stuck`:
/// `TELLTALE_SHAPES_TABLE=FILE swift test --filter ShapeTests`.
enum ShapeReport {
    static func writeIfAsked(_ runs: [String: ShapeRun]) {
        guard let path = ProcessInfo.processInfo.environment["TELLTALE_SHAPES_TABLE"] else {
            return
        }
        var lines = ["JUDGED    SHAPE  EXPECTED  VERDICT (EXIT)  SECONDS (most)  TITLE"]
        let places = try? ShapePlaces()
        var counts: [String: Int] = [:]
        var seconds: [Double] = []
        for row in ShapeRun.rows {
            guard let run = runs[row.name], let places else { continue }
            let complaints = run.complaints(row, places)
            let judged = complaints.isEmpty ? "right" : "WRONG"
            counts["\(row.isAccused ? "stuck" : "healthy") \(judged)", default: 0] += 1
            seconds += run.answers.map(\.seconds)
            lines.append(line(row, run, judged))
            for complaint in complaints { lines.append("            " + complaint) }
        }
        let sorted = seconds.sorted()
        let middle = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        lines.append("")
        lines.append(counts.map { "\($0.value) \($0.key)" }.sorted().joined(separator: ", "))
        lines.append(
            "`stuck` took \(spelled(middle)) s at the median, \(spelled(sorted.last ?? 0)) s at most"
        )
        let text = lines.joined(separator: "\n") + "\n"
        try? text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    private static func line(_ row: ShapeRow, _ run: ShapeRun, _ judged: String) -> String {
        let verdicts = Dictionary(grouping: run.answers) { "\($0.verdict) (\($0.status))" }
            .map { "\($0.value.count)x \($0.key)" }.sorted().joined(separator: " + ")
        let seconds = run.answers.map(\.seconds).sorted()
        let times =
            seconds.isEmpty
            ? "-" : "\(spelled(seconds[seconds.count / 2])) (\(spelled(seconds.last ?? 0)))"
        let expected =
            switch row.expectation {
            case .healthy: "healthy"
            case .waitsLong: "waits long"
            case .stuck: "stuck"
            case .deadlock: "deadlock"
            }
        let title = run.answers.last { !$0.title.isEmpty }?.title ?? ""
        return [
            padded(judged, 8), padded(row.name, 42), padded(expected, 10), padded(verdicts, 32),
            padded(times, 14), title,
        ].joined(separator: "  ")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func spelled(_ seconds: Double) -> String { String(format: "%.2f", seconds) }
}
