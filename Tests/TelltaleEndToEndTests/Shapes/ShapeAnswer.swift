import Foundation
import TelltaleTestSupport

/// The judged parts of the answer of `stuck --json`.
///
/// Read by names, not as the answer's type: its users read it so.
struct ShapeAnswer: Sendable {
    /// A party's place.
    struct Place: Sendable, Hashable, CustomStringConvertible {
        var function: String
        var file: String
        var line: Int
        var description: String { "\(function) (\(file):\(line))" }
    }

    var status: Int32
    var seconds: Double
    var verdict = ""
    var places: [Place] = []
    /// The parties named in the first finding, in any part.
    var named: [String] = []
    /// The first finding, in few words.
    var title = ""
    /// The minimum age of the first finding.
    var age: Double?
    /// As it came.
    var text: String

    init(_ outcome: ShapeHost.Outcome, seconds: Double) {
        status = outcome.status
        self.seconds = seconds
        text = outcome.text
        let document = try? JSONSerialization.jsonObject(with: Data(outcome.text.utf8))
        let answer = document as? [String: Any] ?? [:]
        verdict = answer["verdict"] as? String ?? ""
        let findings = answer["findings"] as? [[String: Any]] ?? []
        for finding in findings {
            for party in finding["parties"] as? [[String: Any]] ?? [] {
                if let function = party["function"] as? String,
                    let file = party["file"] as? String, let line = party["line"] as? Int
                {
                    places.append(
                        Place(
                            function: function,
                            file: file.split(separator: "/").last.map(String.init) ?? file,
                            line: line))
                }
            }
        }
        if let first = findings.first {
            age = first["seconds"] as? Double
            let evidence = (first["evidence"] as? [String: Any])?.keys.first ?? "finding"
            let names = (first["parties"] as? [[String: Any]] ?? []).compactMap {
                ($0["subject"] as? [String: Any])?["name"] as? String
            }
            named = Self.subjects(in: first)
            let more = findings.count > 1 ? " (and \(findings.count - 1) more)" : ""
            let hope = first["hope"].map { "; hope: \($0)" } ?? ""
            title = "\(evidence): \(names.joined(separator: ", "))\(more)\(hope)"
        }
    }

    private static func subjects(in value: Any) -> [String] {
        if let array = value as? [Any] { return array.flatMap(subjects) }
        guard let object = value as? [String: Any] else { return [] }
        if object["kind"] is String, let name = object["name"] as? String { return [name] }
        return object.values.flatMap(subjects)
    }

    /// Returns whether it reports a long wait, and accuses no party.
    var saysWaitsLong: Bool { verdict == "waiting" && !named.isEmpty }

    /// Returns the parts of a row's expectation that it doesn't meet; empty if it meets all.
    func complaints(_ row: ShapeRow, _ markers: ShapePlaces) -> [String] {
        let seen = "exit \(status), \(verdict) \(title) \(Set(places).map(\.description))"
        var wrong: [String] = []
        switch row.expectation {
        case .healthy, .waitsLong:
            if status != 0 { wrong.append("accused: \(seen)") }
            if case .waitsLong = row.expectation, status == 0, !saysWaitsLong {
                wrong.append("says nothing of what waits long: \(seen)")
            }
        case .stuck(let functions), .deadlock(let functions):
            if status != 7 { wrong.append("not found: \(seen)") }
            if case .deadlock = row.expectation, status == 7, verdict != "deadlock" {
                wrong.append("no deadlock: \(seen)")
            }
            for function in functions where status == 7 && !names(function, markers) {
                let line = markers.lines[function].map { "\($0.file):\($0.line)" } ?? "no line"
                wrong.append("\(function) (\(line)) is not named: \(seen)")
            }
        }
        return wrong
    }

    private func names(_ function: String, _ markers: ShapePlaces) -> Bool {
        guard let marked = markers.lines[function] else { return false }
        return places.contains {
            $0.function.contains(function) && $0.file == marked.file && $0.line == marked.line
        }
    }
}

/// The locations at which the shapes of the test host are blocked: the lines that say so.
struct ShapePlaces: Sendable {
    private(set) var lines: [String: (file: String, line: Int)] = [:]

    init() throws {
        let folder = "\(RepositoryFile.root)/Tests/TelltaleTestHost/Shapes"
        for file in try FileManager.default.contentsOfDirectory(atPath: folder)
        where file.hasSuffix(".swift") {
            let text = try RepositoryFile.text("Tests/TelltaleTestHost/Shapes/\(file)")
            let all = text.split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in all.enumerated() {
                guard let mark = line.firstRange(of: "  // blocks: ") else { continue }
                lines[String(line[mark.upperBound...])] = (file, index + 1)
            }
        }
    }
}
