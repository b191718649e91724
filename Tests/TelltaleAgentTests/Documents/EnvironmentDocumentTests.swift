import TelltaleProtocol
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent

struct EnvironmentDocumentTests {
    @Test("the page's table has every variable with what it takes and does, and no other")
    func tableIsComplete() throws {
        let page = try RepositoryFile.text("Docs/Configuration.md")
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `TELLTALE") }
        let meant = ServiceVariable.all.map { "| `\($0.name)` | \($0.values) | \($0.effect) |" }
        // The page links to others.
        let shown = rows.map { row in
            String(row).replacing(/\[([^\]]*)\]\([^)]*\)/) { String($0.output.1) }
        }
        #expect(shown == meant)
    }

    @Test("the agent applies every variable of the table, and no other")
    func everyVariableIsApplied() {
        #expect(EnvironmentTable.rows.map(\.name) == ServiceVariable.all.map(\.name))
    }
}
