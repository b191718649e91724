import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// An attack on a host, and the conditions after it.
enum Attack {
    /// The maximum growth of a host's memory after an attack: stacks and arenas that the allocator
    /// keeps. Measured: under 1 MiB after 1,000 clients. A leaked connection costs more than 16
    /// KiB, its buffer.
    static let memoryBound: UInt64 = 2 << 20

    /// Attacks twice: a small round, after which the host has all that it ever needs, and the round
    /// that counts.
    static func run(
        _ host: TestHost, count: Int, memoryBound: UInt64 = memoryBound,
        _ body: (_ path: String, _ number: Int) throws -> Void
    ) throws {
        let path = try host.socketPath()
        for number in 0..<(min(count, 40)) { try body(path, number) }
        let before = try host.footprintAtRest()
        for number in 0..<count { try body(path, number) }
        try expectRecovery(of: host, to: before, memoryBound: memoryBound)
    }

    /// The answer to a new client while no connection can give way. It is not a refusal of service:
    /// a client that has just vanished keeps a slot until its thread has had a processor.
    static let busy = "has 16 connections, all of them busy"

    static func expectService(of host: TestHost) throws {
        var outcome = try host.telltale(["\(host.pid)", "status"])
        let deadline = MonotonicTime.now.advanced(by: .seconds(30))
        while outcome.status == 5, outcome.errors.contains(busy), .now < deadline {
            usleep(20_000)
            outcome = try host.telltale(["\(host.pid)", "status"])
        }
        #expect(outcome.status == 0, "\(outcome)")
        let output = StolenTime.removed(from: outcome.output)
        #expect(output.contains(" running up="), "\(outcome)")
    }

    /// A client that is let in, however long that takes while all places are busy.
    static func greeted(_ path: String) throws -> RawClient {
        let deadline = MonotonicTime.now.advanced(by: .seconds(30))
        while true {
            let client = try RawClient(path)
            client.send(line: RawClient.hello)
            let answer = client.line()
            if answer?.contains(busy) == true, .now < deadline { continue }
            #expect(answer?.contains("\"result\"") == true, "\(answer ?? "no answer")")
            return client
        }
    }

    static func expectRecovery(
        of host: TestHost, to before: HostFootprint, memoryBound: UInt64 = memoryBound
    ) throws {
        try expectService(of: host)
        do {
            let after = try host.waitForFootprint {
                $0.connections == 0 && $0.descriptors <= before.descriptors
                    && $0.threads <= before.threads
            }
            let bound = before.residentBytes + memoryBound
            #expect(after.residentBytes <= bound, "from \(before) to \(after)")
        } catch {
            let open = (try? host.perform("descriptors")) ?? "not told"
            Issue.record("\(error), and had \(before); open are \(open)")
        }
    }

    /// Runs rounds of an attack until one adds no memory: memory kept once, such as the tables of
    /// the program's types, is added by at most one round; each round adds memory that is leaked.
    static func expectNoGrowth(of host: TestHost, _ round: () throws -> Void) throws {
        var growth = ""
        for _ in 0..<3 {
            let before = try host.footprintAtRest()
            try round()
            try expectRecovery(of: host, to: before, memoryBound: .max / 2)
            let after = try host.footprintAtRest()
            guard after.residentBytes > before.residentBytes + memoryBound else { return }
            growth += "from \(before) to \(after); "
        }
        Issue.record("each round takes more memory: \(growth)")
    }

    static func request(_ method: String, id: Int = 1, _ params: String = "{}") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
    }
}
