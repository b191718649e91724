import TelltaleTestSupport
import Testing

/// Properties that a service computes when they are asked for.
@Suite(.timeLimit(.minutes(2)))
struct PropertyTests {
    private func get(_ host: TestHost, _ words: String...) throws -> String {
        let outcome = try host.telltale(["\(host.pid)"] + words)
        return outcome.output + outcome.errors
    }

    @Test("they are computed on the owner, by a path")
    func paths() throws {
        let host = try TestHost(["properties"])
        #expect(try get(host, "get", "cart.total") == "12\n")
        #expect(try get(host, "get", "cart.count") == "3\n")
        #expect(try get(host, "get", "cart.first.name") == "\"line\"\n")
        #expect(try get(host, "get", "till.sum") == "3\n")
        #expect(try get(host, "get", "board.shout") == "\"BOARD\"\n")
        #expect(try get(host, "get", "limits.of.half") == "6\n")
        #expect(try get(host, "get", "limits.of.ended").contains("property 'ended'"))
        #expect(try get(host, "get", "cart.prices[1]") == "4\n")
        #expect(try get(host, "set", "cart.total", "5").contains("made by a closure"))
        #expect(try get(host, "status").contains("property early was refused"))
    }

    @Test(
        "an action takes a Decimal as it was typed, to its last digit",
        arguments: [
            ("12345678901234567890.12, 0.01", "12345678901234567890.13"), ("1, nil", "1"),
            ("0.1, 0.2", "0.3"), ("\"19.99\", \"0.01\"", "20"), ("1, tip: 0.5", "1.5"),
        ])
    func decimals(_ arguments: String, _ result: String) throws {
        let host = try TestHost(["properties"])
        let answer = try get(host, "call", "cart.pay(\(arguments))")
        #expect(answer.hasPrefix("cart.pay: \(result)  ("), "\(answer)")
    }

    @Test("a tree has them with --computed, marked, and not otherwise")
    func trees() throws {
        let host = try TestHost(["properties"])
        let plain = try get(host, "show", "cart")
        #expect(!plain.contains("total") && plain.contains("prices"), "\(plain)")
        let computed = try get(host, "show", "cart", "--computed")
        #expect(computed.contains("  total: 12  (computed)"), "\(computed)")
        #expect(computed.contains("  count: 3  (computed)"), "\(computed)")
        #expect(computed.contains("  first: Line #"), "\(computed)")
        #expect(computed.contains("  apiToken: <masked>  (computed)"), "\(computed)")
        #expect(!computed.contains("PLANTED"), "\(computed)")
        let masked = try get(host, "get", "cart.apiToken")
        #expect(masked.contains("<masked>") && !masked.contains("PLANTED"), "\(masked)")
        #expect(!(try get(host, "objects")).contains("cart.total"))
        #expect(!(try get(host, "dump")).contains("cart.total"))
        let json = try host.telltale(["--json", "\(host.pid)", "show", "till", "--computed"]).output
        #expect(json.contains("\"sum\":3"), "\(json)")
        #expect(json.contains("{\"at\":[\"sum\"],\"note\":\"computed\"}"), "\(json)")
    }

    @Test("nothing is computed in a snapshot")
    func snapshots() throws {
        let host = try TestHost(["properties"])
        let refused = try get(host, "show", "cart", "--computed", "--snapshot")
        #expect(refused.contains("--computed runs code of the service"), "\(refused)")
        #expect(!refused.contains("total"), "\(refused)")
        #expect(try get(host, "show", "cart", "--snapshot").contains("prices"))
    }

    @Test("one that hangs costs its deadline; once its object is gone it is said to be")
    func hanging() throws {
        let host = try TestHost(["properties"], environment: ["TELLTALE_OWNER_DEADLINE": "300ms"])
        #expect(try get(host, "get", "slow.total") == "12\n")
        let hung = try get(host, "show", "slow", "--computed")
        #expect(hung.contains("total: 12  (computed)"), "\(hung)")
        #expect(
            hung.contains("computed; slow.stuck was not run: it waits in"), "\(hung)")
        #expect(try get(host, "get", "cart.total") == "12\n")
        // The same is asked of an object that has gone.
        let other = try TestHost(["properties"])
        #expect(try other.telltale(["\(other.pid)", "call", "letGo()"]).status == 0)
        let gone = try get(other, "get", "slow.total")
        #expect(gone.contains("slow.total is gone: slow was deallocated"), "\(gone)")
    }

    @Test("what an object is in memory")
    func memory() throws {
        let host = try TestHost(["properties"])
        let shown = try get(host, "show", "cart", "--memory")
        #expect(shown.contains("\n  memory: 0x"), "\(shown)")
        #expect(shown.contains(" in a block of "), "\(shown)")
        #expect(shown.contains("references: 1 strong, 0 unowned, 0 weak\n"), "\(shown)")
        let bytes = try get(host, "show", "limits.of", "--bytes")
        #expect(bytes.contains("bytes: 24") && bytes.contains("0c 00 00 00"), "\(bytes)")
        let total = try get(host, "show", "cart.total", "--bytes")
        #expect(total.contains("bytes: 8\n"), "\(total)")
        #expect(total.contains("0c 00 00 00 00 00 00 00"), "\(total)")
        let line = try get(host, "show", "cart.lines[0]", "--memory")
        #expect(line.contains("references: 1 strong, 0 unowned, 0 weak"), "\(line)")
        let number = try get(host, "show", "cart.prices[0]", "--memory")
        #expect(number.contains("is not an object"), "\(number)")
        let found = try get(host, "instances", "Line")
        #expect(found.contains("#"), "\(found)")
        if let handle = found.split(whereSeparator: { " \n".contains($0) }).first(where: {
            $0.hasPrefix("#")
        }) {
            let seen = try get(host, "show", String(handle), "--memory")
            #expect(seen.contains("references: 1 strong, 0 unowned, 0 weak"), "\(seen)")
        }
        // For an object with two names, two properties and an action, none of these is a reference
        // of the host's; and its owner is that of the name that tells it.
        let slow = try get(host, "show", "slow", "--memory")
        #expect(slow.contains("references: 1 strong, 0 unowned, "), "\(slow)")
        #expect(try host.telltale(["\(host.pid)", "call", "slow.clear()"]).status == 0)
        #expect(try get(host, "get", "slow.total") == "0\n")
    }
}
