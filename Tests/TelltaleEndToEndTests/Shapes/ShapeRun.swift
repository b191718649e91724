import Foundation
import TelltaleSystem
import TelltaleTestSupport

/// The answers for one shape.
struct ShapeRun: Sendable {
    var answers: [ShapeAnswer] = []
    /// The differences between the screen and the JSON.
    var differences: [String] = []
    /// The reason that it could not be asked.
    var failure: String?
    /// The reason that the shape can't exist here, as the host reports it: `the kernel allows no
    /// io_uring`.
    var isNotHere: String?

    /// All shapes, or those that `TELLTALE_SHAPES` names with commas between them; asked once,
    /// several at a time, before the first of them is judged.
    static let all: [String: ShapeRun] = {
        let runs = gather(rows.filter { !$0.isHeavy }, atOnce: 12)
            .merging(gather(rows.filter(\.isHeavy), atOnce: 2)) { $1 }
        ShapeReport.writeIfAsked(runs)
        return runs
    }()

    static let rows: [ShapeRow] = {
        guard let names = ProcessInfo.processInfo.environment["TELLTALE_SHAPES"] else {
            return ShapeRow.all
        }
        let wanted = Set(names.split(separator: ",").map(String.init))
        return ShapeRow.all.filter { wanted.contains($0.name) }
    }()

    private static func gather(_ rows: [ShapeRow], atOnce count: Int) -> [String: ShapeRun] {
        let runs = sideBySide(rows, atOnce: count) { ($0.name, ShapeRun($0)) }
        return Dictionary(runs) { first, _ in first }
    }

    private init(_ row: ShapeRow) {
        let times = row.isAccused ? Soak.count(3, soak: 10) : Soak.count(3, soak: 20)
        do {
            let host = try ShapeHost(row.name)
            // By then the waits are older than most thresholds.
            Thread.sleep(forTimeInterval: row.isLate ? 13 : row.isAccused ? 2.5 : 1.5)
            for number in 0..<times {
                let began = MonotonicTime.now
                var answer = try host.ask(row.options)
                // A capture without a processor says so, and is repeated.
                for _ in 0..<3 where answer.status == 5 { answer = try host.ask(row.options) }
                // Leftover words in memory may look like a potential waker to one search: three of
                // twelve hosts at once have as many tries, and `make soak` wants each of ten.
                if row.isAccused, !Soak.isOn { answers.removeAll() }
                answers.append(answer)
                if row.isAccused, !Soak.isOn, answer.status == 7 { break }
                let rest = (Soak.isOn ? 1.5 : 0.7) - MonotonicTime.now.since(began).seconds
                if number + 1 < times, rest > 0 { Thread.sleep(forTimeInterval: rest) }
            }
            if !row.isWell {
                differences = try ShapeWords.missing { options in
                    try host.telltale(["--timeout", "30s"] + options, ["stuck"] + row.options)
                }
            }
        } catch let missing as ShapeHost.NotHere {
            isNotHere = missing.reason
        } catch {
            failure = "\(error)"
        }
    }

    /// Returns the problems of the answers, each complaint once.
    func complaints(_ row: ShapeRow, _ markers: ShapePlaces) -> [String] {
        if let failure { return [failure] }
        if isNotHere != nil { return [] }
        var counts: [String: Int] = [:]
        for answer in answers {
            for complaint in answer.complaints(row, markers) {
                // The same but for the names of threads and places in memory.
                counts[complaint.replacing(/0x[0-9a-f]+|[0-9]{3,}/, with: "…"), default: 0] += 1
            }
        }
        return counts.map { "\($0.value) of \(answers.count): \($0.key)" }.sorted()
    }
}
