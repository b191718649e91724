import TelltaleTestSupport
import Testing

/// Counts on the pages match the actual numbers.
struct CountedInDocumentsTests {
    private static let words = [12: "twelve", 13: "thirteen", 14: "fourteen", 15: "fifteen"]

    @Test("the states in which a service hangs")
    func wedges() throws {
        let count = WedgeMatrixTests.wedges.count
        let word = try #require(Self.words[count])
        #expect(try RepositoryFile.text("README.md").contains("used up: \(word) such states"))
        let rows = try RepositoryFile.text("Docs/Robustness.md").split(separator: "\n")
            .filter { $0.contains(" of 100 |") && $0.contains(" of 400 |") }
        #expect(rows.count == count)
    }

    @Test("the staged mistakes of the gallery")
    func faults() throws {
        let faults = StuckTests.expectations.map(\.fault)
        let word = try #require(Self.words[faults.count])
        let readme = try RepositoryFile.text("README.md").split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        #expect(readme.contains("what it says of each of \(word) staged mistakes"))
        let page = try RepositoryFile.text("Docs/Stuck.md").split(separator: "\n")
        for fault in faults {
            #expect(page.contains { $0.hasPrefix("\(fault): ") }, "\(fault) isn't in the gallery")
        }
    }
}
