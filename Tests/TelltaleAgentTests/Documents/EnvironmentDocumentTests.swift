import TelltaleTestSupport
import Testing

@testable import TelltaleAgent

struct EnvironmentDocumentTests {
    @Test("the page's table has every variable with what it takes, and no other")
    func tableIsComplete() throws {
        let page = try RepositoryFile.text("Docs/Configuration.md")
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `TELLTALE") }
        let shown = rows.map { $0.split(separator: "|").prefix(2).joined(separator: "|") }
        let meant = EnvironmentTable.rows.map { " `\($0.name)` | \($0.values) " }
        #expect(shown == meant)
    }
}
