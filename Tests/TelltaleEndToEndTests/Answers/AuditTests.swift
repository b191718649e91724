import TelltaleTestSupport
import Testing

/// The records of changes that are written without a reader.
@Suite(.timeLimit(.minutes(1)))
struct AuditTests {
    @Test("standard error that nobody reads holds no change up, and what it lacks is said in it")
    func fullStandardError() throws {
        let host = try TestHost()
        let text = String(repeating: "prompt ", count: 40)
        // Each is recorded with its old and its new value: 64 KB are full with the 100th.
        let outcome = try host.shell(
            #"seq 1000 | sed 's/.*/photos.prompt = "& \#(text)"/' | "$TELLTALE_CLIENT" "$PID" -"#)
        #expect(outcome.status == 0, "\(outcome.errors)")
        try host.waitForError(containing: " AUDIT ")
        let set = try host.telltale(["\(host.pid)", "set", "photos.prompt", "\"read again\""])
        #expect(set.status == 0)
        let said = try host.waitForError(containing: "read again")
        let gap = try #require(said.firstMatch(of: /did not take ([0-9,]+) lines before this one/))
        let lost = try #require(Int(gap.1.replacing(",", with: "")))
        #expect((500..<1000).contains(lost), "\(lost)")
        let info = try host.telltale(["\(host.pid)", "info"]).output
        #expect(info.contains("the audit log lacks lines"), "\(info)")
    }
}
