import Foundation
import TelltaleProtocol
import TelltaleTestSupport
import Testing

/// Questions about values, over the built client.
@Suite(.timeLimit(.minutes(3)))
struct QuestionTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    private func ask(_ words: String...) throws -> TestHost.Outcome {
        try host.telltale(["\(host.pid)"] + words)
    }

    @Test(
        "clauses and computed values, as one word of a shell and as several",
        arguments: [
            (["get", "photos.items where size > 2000 count"], "2\n"),
            (["get", "photos.items", "where", "size", ">", "2000", "count"], "2\n"),
            (["get", "photos.items.count + 1"], "4\n"),
            (["get", "photos.items.count", "-", "1"], "2\n"),
            (["get", "photos.items.count > photos.settings.quality"], "false\n"),
            (["get", "(photos.items where title == \"Success Kid\").first.size"], "3400\n"),
            (["get", "photos.items max size"], "5600\n"),
            (["get", "photos.items sum size"], "10200\n"),
            (["get", "photos.ratings.max * 2"], "6\n"),
            (["get", "photos.items[1...2].size"], "[3400, 5600]\n"),
            (["get", "photos.items.count == 3 && plain.limit == 12"], "true\n"),
            (["get", "store.balance / 3"], "3\n"), (["get", "photos.prompt == nil"], "true\n"),
            (["get", "photos.items.count - 4"], "-1\n"),
            (
                ["get", "(photos.items sorted by size descending).first.title == \"Success Kid\""],
                "false\n"
            ),
        ])
    func computed(_ words: [String], _ output: String) throws {
        let outcome = try host.telltale(["\(host.pid)"] + words)
        #expect(outcome.output == output, "\(words): \(outcome)")
        #expect(outcome.status == 0)
    }

    @Test(
        "what can't be computed is marked below the text, and the exit status says that it failed")
    func failures() throws {
        let wrong = try ask("get", "photos.items.count +")
        #expect(wrong.status == 2)
        #expect(
            wrong.errors == """
                error: column 21: expected a value, found the end
                  photos.items.count +
                                      ^

                """, "\(wrong.errors)")
        let divided = try ask("get", "photos.items.count / (plain.limit - 12)")
        #expect(divided.status == 1)
        #expect(
            divided.errors.hasPrefix("error: column 20: division by zero\n"), "\(divided.errors)")
        // Nothing that was asked for is left out silently.
        let both = try ask("show", "photos", "--memory", "--match", "cat")
        #expect(both.status == 2 && both.errors.contains("not with --match"), "\(both)")
        let computed = try ask("show", "photos.items.count + 1", "--bytes")
        #expect(computed.status == 2 && computed.errors.contains("needs a path"), "\(computed)")
        let missing = try ask("get", "photos.items where sise > 3")
        #expect(missing.status == 1)
        #expect(missing.errors.contains("Photo has no .sise"), "\(missing.errors)")
    }

    @Test("a list says of how many it is, and where it was read")
    func list() throws {
        let shown = try ask("show", "photos.items where size > 2000", "--depth", "1").output
        #expect(shown.contains("2 elements"), "\(shown)")
        #expect(shown.contains("2 of 3)"), "\(shown)")
        #expect(shown.contains("\n  [1]: Photo #"), "\(shown)")
        let line = try host.shell(
            "echo 'photos.items where size > 2000 count' | \"$TELLTALE_CLIENT\" $PID -")
        #expect(line.output.contains("count: 2"), "\(line)")
    }

    @Test("a table has the fields that were asked for; JSON has the rest too")
    func tables() throws {
        let table = try ask("show", "photos.items", "--fields", "size,title").output
        let lines = table.split(separator: "\n")
        #expect(lines.count == 5, "\(table)")
        #expect(lines[1].split(separator: " ") == ["AT", "SIZE", "TITLE"], "\(table)")
        #expect(lines[3].split(separator: " ").prefix(2) == ["[1]", "3400"], "\(table)")
        let all = try ask("show", "photos.items", "--table").output
        #expect(all.contains("STATE"), "\(all)")
        let wrong = try ask("show", "photos.items", "--fields", "titel")
        #expect(wrong.status == 1)
        #expect(wrong.errors.contains("did you mean title?"), "\(wrong.errors)")
        let outcome = try host.telltale([
            "--json", "\(host.pid)", "show", "photos.items", "--fields", "title",
        ])
        let answer = try JSONParser.parse(Array(outcome.output.utf8), limits: .answer)
        #expect(answer["table"]?["columns"] == .array([.string("title")]))
        guard case .array(let photos)? = answer["value"] else {
            Issue.record("\(outcome)")
            return
        }
        #expect(photos.first?["size"] == .integer(1200))
    }

    @Test("a search names each hit with its whole path, and never by a secret")
    func search() throws {
        let found = try ask("show", "photos", "--match", "KID").output
        #expect(
            found.contains("photos.items[1].title: \"Success Kid\"\n1 match of \"KID\""), "\(found)"
        )
        let names = try ask("get", "photos", "--match", "quality").output
        #expect(names.contains("photos.settings.quality: 80"), "\(names)")
        let one = try ask("show", "photos", "--match", "size", "--limit", "1").output
        #expect(one.contains("photos.items[0].size: 1200\n… 2 more"), "\(one)")
        let cut = try ask("show", "photos", "--match", "size", "--depth", "1").output
        #expect(cut.contains("not looked into"), "\(cut)")
        let secret = try ask("show", "photos", "--match", "PLANTED").output
        #expect(secret.contains("0 matches"), "\(secret)")
        let named = try ask("show", "photos", "--match", "password").output
        #expect(named.contains("photos.settings.password: <masked>"), "\(named)")
        let masked = try ask("show", "photos", "--match", "masked").output
        #expect(masked.contains("0 matches"), "\(masked)")
    }

    @Test(
        "what is masked is refused in every question",
        arguments: [
            "photos.settings.password == \"PLANTED-SECRET-91bc\"", "photos.apiToken != nil",
            "photos.apiToken contains \"PLANTED\"", "!(photos.apiToken == \"x\")",
        ])
    func secrets(_ text: String) throws {
        let outcome = try ask("get", text)
        #expect(outcome.status == 4, "\(outcome)")
        #expect(outcome.output.isEmpty)
        #expect(!outcome.errors.contains("PLANTED-SECRET-7f3a"))
    }

    @Test("help says how questions are typed")
    func help() throws {
        let show = try ask("help", "show").output
        for word in ["--match", "--fields", "--table", "where", "sorted by", "sum"] {
            #expect(show.contains(word), "\(word)")
        }
        #expect(try ask("help", "get").output.contains("library.books.count + 1"))
    }
}
