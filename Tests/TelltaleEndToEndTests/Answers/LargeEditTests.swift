import TelltaleTestSupport
import Testing

/// Changes that take a long time or much memory don't block the owner, and the memory kept for them is
/// bounded.
@Suite(.timeLimit(.minutes(3)))
struct LargeEditTests {
    private func ask(_ host: TestHost, _ words: String...) throws -> String {
        let outcome = try host.telltale(["\(host.pid)"] + words)
        return outcome.output + outcome.errors
    }

    @Test("what was typed is made into values without the owner")
    func making() throws {
        let host = try TestHost(["edits"])
        #expect(try ask(host, "set", "sheet.typed", #"{"number": 5}"#).contains("change 1"))
        #expect(try ask(host, "get", "sheet.typed.number") == "5\n")
        let list = "[" + (0..<200).map { #"{"number": \#($0)}"# }.joined(separator: ", ") + "]"
        #expect(try ask(host, "set", "sheet.several", list).contains("change 2"))
        #expect(try ask(host, "get", "sheet.several[199].number") == "199\n")
        _ = try ask(host, "call", #"sheet.several.append({"number": 7})"#)
        #expect(try ask(host, "get", "sheet.several.count") == "201\n")
        _ = try ask(host, "set", #"sheet.byName["a"]"#, #"{"number": 8}"#)
        #expect(try ask(host, "get", #"sheet.byName["a"].number"#) == "8\n")
        #expect(try ask(host, "set", "sheet.several", #"[{"number": "x"}]"#).contains("number"))
        #expect(try ask(host, "set", "sheet.typed", "--preview", #"{"number": 6}"#).contains("6"))
        let together = try host.shell(
            #"printf '%s\n' "$@" | "$TELLTALE_CLIENT" "$PID" -"#,
            arguments: [
                "begin", #"sheet.typed = {"number": 11}"#,
                #"sheet.several = [{"number": 12}, {"number": 13}]"#, "commit",
            ])
        #expect(together.status == 0, "\(together)")
        #expect(try ask(host, "get", "sheet.typed.number") == "11\n")
        #expect(try ask(host, "get", "sheet.several[1].number") == "13\n")
        #expect(try ask(host, "get", "madeOnOwner") == "0\n")
        #expect(try ask(host, "get", "made") != "0\n")
    }

    @Test("a literal of a megabyte is set, and put back")
    func long() throws {
        let host = try TestHost(["edits"])
        let set = try host.shell(
            #"{ printf 'sheet.numbers = ['; seq -s, 1 90000 | tr -d '\n'; printf ']\n'; } | "$TELLTALE_CLIENT" --timeout 20s "$PID" -"#
        )
        #expect(set.status == 0, "\(set)")
        #expect(try ask(host, "get", "sheet.numbers[89999]") == "90000\n")
        #expect(try host.telltale(["\(host.pid)", "undo", "1"]).status == 0)
        #expect(try ask(host, "get", "sheet.numbers.count") == "1\n")
    }

    @Test("an edit that its owner would copy much for is refused, with the size")
    func copies() throws {
        let host = try TestHost(["edits"])
        let appended = try host.telltale(["\(host.pid)", "call", "sheet.large.append(3)"])
        #expect(appended.status == 1, "\(appended)")
        #expect(
            appended.errors.contains(
                "sheet.large has 20 MiB, which its owner would copy for this change; 16 MiB is"),
            "\(appended)")
        #expect(try ask(host, "set", "sheet.large[0..<1]", "[9, 9]").contains("would copy"))
        #expect(try ask(host, "set", "sheet.shared[5]", "9").contains("would copy"))
        // A change in place copies nothing.
        #expect(try ask(host, "set", "sheet.large[5]", "9").contains("change"))
        #expect(try ask(host, "get", "sheet.large[5]") == "9\n")
        #expect(try ask(host, "call", "sheet.large.removeAll()").contains("change"))
    }

    @Test("old values have a bound in bytes; the oldest goes first, and that is said")
    func kept() throws {
        let host = try TestHost(["edits"])
        #expect(try ask(host, "info").contains("of 64 MiB"))
        // Each change makes a new megabyte, and the log keeps the old one.
        let set = try host.shell(
            #"for i in $(seq 600); do echo 'sheet.page.append(7)'; done | "$TELLTALE_CLIENT" "$PID" - > /dev/null"#
        )
        #expect(set.status == 0, "\(set.errors.prefix(400))")
        let info = try ask(host, "info")
        #expect(info.contains("of changes"), "\(info)")
        let memory = try #require(HostFootprint(of: host.pid)).residentBytes
        #expect(memory < 260 << 20, "\(memory)")
        let old = try ask(host, "undo", "1")
        #expect(old.contains("change 1 is too old"), "\(old)")
        #expect(try host.telltale(["\(host.pid)", "undo", "600"]).status == 0)
        #expect(try ask(host, "get", "sheet.page.count") == "\((1 << 20) + 599)\n")
    }
}
