import Foundation
import Glibc
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Clients that ask again as soon as they have their answer.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct BusyClientTests {
    private static let path = "photos.items.count"

    private static func clients(
        _ count: Int, _ host: TestHost, _ path: String = path, is text: String = "3"
    ) throws -> [BusyClient] {
        try (0..<count).map { _ in try BusyClient(host, path, is: text) }
    }

    /// A process's time on processors, in hundredths of a second.
    private static func ticks(of pid: Int32) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        let fields = try #require(text.split(separator: ")").last).split(separator: " ")
        return try #require(Int(fields[11])) + #require(Int(fields[12]))
    }

    @Test("each of eight has at least a fifth of the answers that any other one has")
    func fairness() throws {
        let host = try TestHost()
        let clients = try Self.clients(8, host)
        try waitUntil("all have answers") { clients.allSatisfy { $0.count.all > 200 } }
        let before = clients.map(\.count.all)
        try waitUntil("one has 4,000 more") {
            zip(clients, before).contains { $0.count.all - $1 > 4000 }
        }
        let answers = zip(clients, before).map { $0.count.all - $1 }
        #expect(try #require(answers.min()) * 5 >= #require(answers.max()), "\(answers)")
        for client in clients { #expect(client.firstWrong == nil, "\(client.firstWrong ?? "")") }
    }

    @Test("one that asks for what is held keeps nobody else")
    func held() throws {
        let host = try TestHost(["bound"], environment: ["TELLTALE_OWNER_DEADLINE": "3000"])
        let asker = try Asker(host)
        // The agent listens before the host has registered the last of its objects.
        try waitUntil("it is registered") {
            try Asker.shows("0", asker.get("bound.serial.list.count"))
        }
        let clients = try Self.clients(7, host, "bound.serial.list.count", is: "0")
        for _ in 0..<2 {
            try host.perform("block")
            asker.sendTogether(
                ["bound.serial.list.count", Self.path].map { #"{"path":"\#($0)"}"# })
            #expect(try Asker.shows("0", asker.received()))
            let before = clients.map(\.count.all)
            try waitUntil("the others have answers") {
                zip(clients, before).allSatisfy { $0.count.all > $1 + 100 }
            }
            let answer = try asker.received()
            #expect(answer.contains("did not answer in 3 s"), "\(answer)")
            try host.perform("unblock")
        }
        for client in clients {
            #expect(client.firstWrong == nil && !client.isOver, "\(client.firstWrong ?? "")")
        }
    }

    @Test("bytes out of band are nobody's and keep no processor busy")
    func outOfBand() throws {
        let host = try TestHost()
        let askers = try (0..<2).map { _ in try Asker(host) }
        for asker in askers { asker.client.sendOutOfBand() }
        try waitUntil("its threads sleep") {
            let before = try Self.ticks(of: host.pid)
            // The span over which their time is counted.
            usleep(100_000)
            return try Self.ticks(of: host.pid) - before < 3
        }
        for asker in askers { #expect(try Asker.shows("3", asker.get(Self.path))) }
    }

    @Test("a host that closes its descriptors in the middle has all of its own bytes")
    func closed() throws {
        let host = try TestHost()
        // Dispatch writes to its own eventfd while the agent calibrates, and closefrom() closes that too.
        try host.waitUntilLearnt()
        for turn in 0..<4 {
            let clients = try Self.clients(8, host)
            try waitUntil("all have answers") { clients.allSatisfy { $0.count.all > 200 } }
            let said = try host.perform("closefrom \(turn)")
            #expect(said.hasPrefix("intact"), "\(said)")
            try waitUntil("all have ended") { clients.allSatisfy(\.isOver) }
            try host.waitForFootprint { $0.connections == 0 }
            let later = try host.perform("intact")
            #expect(later.hasPrefix("intact"), "\(later)")
            for client in clients {
                #expect(client.firstWrong == nil, "\(client.firstWrong ?? "")")
            }
        }
    }

    @Test("an agent that is stopped in the middle ends them all")
    func stopped() throws {
        let host = try TestHost()
        var before = 0
        for round in 0..<5 {
            // Dispatch opens some of its own meanwhile.
            if round == 1 { before = try host.footprintAtRest().descriptors }
            let clients = try Self.clients(8, host)
            try waitUntil("all have answers") { clients.allSatisfy { $0.count.all > 200 } }
            #expect(try host.perform("stop") == "stopped")
            try waitUntil("all have ended") { clients.allSatisfy(\.isOver) }
            for client in clients {
                #expect(client.firstWrong == nil, "\(client.firstWrong ?? "")")
            }
            #expect(try host.perform("start") == "running")
        }
        _ = try host.footprintAtRest()
        try waitUntil("it has the descriptors that it had") {
            try #require(HostFootprint(of: host.pid)).descriptors <= before
        }
    }
}
