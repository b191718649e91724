import Foundation

@testable import TelltaleProtocol

/// The words on the screen of `stuck`, compared with its JSON: the screen is rendered from the
/// JSON, and has to be the one that is printed.
struct ShapeWords {
    private let findings: [String]

    /// Reads a screen.
    init(screen: String) {
        let lines = screen.split(separator: "\n", omittingEmptySubsequences: true)
        findings = lines.prefix { line in
            !Self.ends.contains { line.hasPrefix($0) }
        }.map(Self.withoutNumbers)
    }

    /// Reads the output of `--json`.
    init(json: String) throws {
        let answer = try JSONDecoder().decode(StuckAnswer.self, from: Data(json.utf8))
        self.init(screen: answer.lines().joined(separator: "\n"))
    }

    /// The lines that end the findings.
    private static let ends = ["BLOCKED BY IT", "BUSY", "NOT IT", "NEXT", "healthy", "note:"]

    // Two answers are of two moments.
    private static func withoutNumbers(_ line: Substring) -> String {
        String(line).replacing(/0x[0-9a-f]+/, with: "…")
            .replacing(/[0-9][0-9,.:]*( ?(?:ms|s|µs|min|h))?/, with: "…")
            .replacing(#/\ +/#, with: " ")
    }

    /// Returns the differences; empty if both say the same.
    func differences(from other: ShapeWords) -> [String] {
        let (mine, others) = (Set(findings), Set(other.findings))
        return mine.symmetricDifference(others).sorted()
    }

    /// Returns the parts of the screen that the JSON lacks; asked again if a moment made the
    /// difference.
    ///
    /// - Parameter ask: Asks `stuck`, with the options of the client.
    /// - Returns: Lines; empty where both say the same.
    /// - Throws: An error of the request, or of reading the JSON.
    static func missing(_ ask: ([String]) throws -> ShapeHost.Outcome) throws -> [String] {
        var missing: [String] = []
        for _ in 0..<4 {
            let data = try ask(["--json"])
            let screen = try ask([])
            guard data.status == screen.status else { continue }
            missing = try ShapeWords(json: data.text).differences(
                from: ShapeWords(screen: screen.text))
            if missing.isEmpty { return [] }
        }
        return missing
    }
}
