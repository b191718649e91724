import Foundation
import TelltaleProtocol
import TelltaleTestSupport
import Testing

/// `limits`, over the client, of a host whose limits are known.
@Suite(.timeLimit(.minutes(3)))
struct LimitsTests {
    private func limits(_ host: TestHost) throws -> [String: LimitsAnswer.Entry] {
        let outcome = try host.telltale(["--json", "\(host.pid)", "limits"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let answer = try LimitsAnswer(
            result: JSONParser.parse(Array(outcome.output.utf8), limits: .answer))
        return Dictionary(uniqueKeysWithValues: answer.limits.map { ($0.name, $0) })
    }

    @Test("the limits that a host was started with are those that are said, with what is used")
    func known() throws {
        let host = try TestHost(
            shell: "ulimit -Sn 300; ulimit -Hn 400; ulimit -c 0; ulimit -l 64; ulimit -d 8388608")
        let limits = try limits(host)
        let descriptors = try #require(limits["descriptors"])
        #expect(descriptors.soft == 300 && descriptors.hard == 400)
        let used = try #require(descriptors.used)
        #expect((5..<300).contains(used))
        #expect(descriptors.percent == (Double(used) / 3 * 10).rounded() / 10)
        #expect(limits["core size"]?.soft == 0 && limits["core size"]?.used == nil)
        #expect(limits["core size"]?.gap == nil)
        #expect(limits["locked memory"]?.soft == 64 << 10)
        #expect(limits["locked memory"]?.used == 0)
        #expect(limits["data"]?.soft == 8 << 30)
        #expect(try #require(limits["data"]?.used) > 1 << 20)
        #expect(try #require(limits["address space"]?.used) > 1 << 20)
        // Entries that are not available say why.
        #expect(limits["threads of the user"]?.gap?.isEmpty == false)
        for name in ["cgroup threads", "cgroup memory"] {
            let limit = try #require(limits[name])
            #expect(limit.used != nil || limit.gap != nil, "\(name)")
        }
    }

    @Test("a person gets a table, and a limit that was raised is said as it is now")
    func shown() throws {
        let host = try TestHost(shell: "ulimit -Sn 300")
        let table = try host.telltale(["\(host.pid)", "limits"]).output
        #expect(table.hasPrefix("LIMIT "))
        let row = try #require(table.split(separator: "\n").first { $0.hasPrefix("descriptors ") })
        #expect(row.contains(" 300 ") && row.contains("%  RLIMIT_NOFILE"))
    }
}
