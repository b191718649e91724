import TelltaleTestSupport
import Testing

@testable import TelltaleAgent

struct ReadmeEnvironmentTests {
    @Test("the README's table has every variable with what it takes, and no other")
    func tableIsComplete() throws {
        let readme = try RepositoryFile.text("README.md")
        let rows = readme.split(separator: "\n").filter { $0.hasPrefix("| `TELLTALE") }
        let shown = rows.map { $0.split(separator: "|").prefix(2).joined(separator: "|") }
        let meant = EnvironmentTable.rows.map { " `\($0.name)` | \($0.values) " }
        #expect(shown == meant)
    }
}
