import Foundation
import TelltaleTestSupport
import Testing

/// Counts on the pages match the actual numbers.
struct CountedInDocumentsTests {
    private static let words = [12: "twelve", 13: "thirteen", 14: "fourteen", 15: "fifteen"]

    @Test("the states in which a service hangs")
    func wedges() throws {
        let count = WedgeMatrixTests.wedges.count
        let word = try #require(Self.words[count])
        #expect(
            try RepositoryFile.text("Docs/Safety.md")
                .contains("\(word.capitalized) such states are staged"))
        let rows = try RepositoryFile.text("Docs/Robustness.md").split(separator: "\n")
            .filter { $0.contains(" of 100 |") && $0.contains(" of 400 |") }
        #expect(rows.count == count)
    }

    @Test("the staged mistakes of the gallery")
    func faults() throws {
        let faults = StuckTests.expectations.map(\.fault)
        let word = try #require(Self.words[faults.count])
        for (page, sentence) in [
            ("Docs/Diagnosing.md", "for each of \(word) staged mistakes"),
            ("Docs/Stuck.md", "the answers for \(word) staged mistakes"),
            ("Docs/Gallery.md", "what `stuck` says of \(word) mistakes"),
            ("Docs/README.md", "its answers for \(word) mistakes"),
        ] {
            let text = try RepositoryFile.text(page).split(whereSeparator: \.isWhitespace)
                .joined(separator: " ")
            #expect(text.contains(sentence), "\(page): \(sentence)")
        }
        let page = try RepositoryFile.text("Docs/Gallery.md").split(separator: "\n")
        for fault in faults {
            #expect(page.contains { $0.hasPrefix("\(fault): ") }, "\(fault) isn't in the gallery")
        }
    }

    @Test("the faults of the photo manager, whose page has a row for each")
    func photoFaults() throws {
        let rows =
            try RepositoryFile.text("Examples/PhotoManager/README.md")
            .split(separator: "## Its faults").last?.split(separator: "\n")
            .filter { $0.hasPrefix("| `") } ?? []
        #expect(try RepositoryFile.text("Docs/README.md").contains("its \(rows.count) faults"))
        #expect(
            try RepositoryFile.text("CHANGELOG.md").contains("with \(rows.count) staged faults"))
    }
}
