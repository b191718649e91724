import Foundation
import Glibc
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Requests that were answered and are the kernel's for a while: several are taken at once from clients that ask
/// without a pause.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct LeftRequestTests {
    private static let path = "photos.items.count"

    private static func clients(
        _ count: Int, _ host: TestHost, _ path: String = path, is text: String = "3"
    ) throws -> [BusyClient] {
        try (0..<count).map { _ in try BusyClient(host, path, is: text) }
    }

    /// What the kernel holds for one request.
    private static func sizeOfOne() -> Int {
        var ends: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        defer { for end in ends { close(end) } }
        let line = [UInt8](repeating: 0x20, count: 80)
        #expect(send(ends[0], line, line.count, 0) == line.count)
        return BusyClient.unread(at: ends[0])
    }

    /// A process's time on processors, in hundredths of a second.
    private static func ticks(of pid: Int32) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        let fields = try #require(text.split(separator: ")").last).split(separator: " ")
        return try #require(Int(fields[11])) + #require(Int(fields[12]))
    }

    @Test("they are left while their clients ask, never many, and taken when those rest")
    func left() throws {
        let host = try TestHost()
        var clients = try Self.clients(4, host)
        try waitUntil("they have answers") { clients.allSatisfy { $0.count.all > 200 } }
        clients += try Self.clients(8, host)
        try waitUntil("one thread answers them all, while they ask") {
            HostFootprint(of: host.pid)?.connections == 1
        }
        let one = Self.sizeOfOne()
        #expect(one > 0)
        var most = 0
        try waitUntil("some are left to the kernel") {
            for client in clients { most = max(most, client.unread) }
            return most > 3 * one
        }
        // Some 25 requests of this length, and the next one.
        for _ in 0..<1000 { for client in clients { most = max(most, client.unread) } }
        #expect(most <= 30 * one, "\(most) of \(one) each")
        for client in clients { client.rest() }
        try waitUntil("none is left to the kernel") { clients.allSatisfy { $0.unread == 0 } }
        for client in clients { #expect(client.count.all > 0 && client.count.wrong == 0) }
    }

    @Test("who can hold few requests is answered while others ask")
    func narrow() throws {
        let host = try TestHost()
        let clients = try Self.clients(9, host)
        // The kernel's least is for six requests.
        let narrow = try BusyClient(host, Self.path, is: "3", holding: 1)
        try waitUntil("it has answers") { narrow.count.all > 2000 }
        #expect(narrow.count.wrong == 0)
        for client in clients { #expect(client.count.all > 0 && client.count.wrong == 0) }
    }

    @Test("who asks for what is held keeps nobody else, whose answers were to go out with its own")
    func held() throws {
        let host = try TestHost(["bound"], environment: ["TELLTALE_OWNER_DEADLINE": "1000"])
        let clients = try Self.clients(11, host, "bound.serial.list.count", is: "0")
        let asker = try Asker(host)
        _ = try asker.getOften(Self.path)
        for _ in 0..<2 {
            try waitUntil("one thread answers all of them") {
                for _ in 0..<10 { _ = try asker.get(Self.path) }
                return HostFootprint(of: host.pid)?.connections == 1
            }
            try host.perform("block")
            // What is answered before it goes out before it.
            asker.sendTogether(
                ["bound.serial.list.count", Self.path].map { #"{"path":"\#($0)"}"# })
            #expect(try Asker.shows("0", asker.received()))
            let before = clients.map(\.count.all)
            try waitUntil("the others have answers") {
                zip(clients, before).allSatisfy { $0.count.all > $1 + 100 }
            }
            let answer = try asker.received()
            #expect(answer.contains("did not answer in 1 s"), "\(answer)")
            try host.perform("unblock")
        }
        for client in clients { #expect(client.count.wrong == 0 && !client.isOver) }
    }

    @Test("bytes out of band are nobody's, keep no processor busy, and shift nothing")
    func outOfBand() throws {
        let host = try TestHost()
        let askers = try (0..<2).map { _ in try Asker(host) }
        try waitUntil("one thread answers both") {
            for asker in askers { for _ in 0..<10 { _ = try asker.get(Self.path) } }
            return HostFootprint(of: host.pid)?.connections == 1
        }
        // Both at the same time.
        kill(host.pid, SIGSTOP)
        for asker in askers { asker.client.sendOutOfBand() }
        kill(host.pid, SIGCONT)
        try waitUntil("its thread sleeps") {
            let before = try Self.ticks(of: host.pid)
            // For how long it is looked at.
            usleep(100_000)
            return try Self.ticks(of: host.pid) - before < 3
        }
        for asker in askers { #expect(try Asker.shows("3", asker.get(Self.path))) }
        // Among requests that are left to the kernel, its byte may be part of one, which is refused then.
        let clients = try Self.clients(12, host)
        try waitUntil("all have answers") { clients.allSatisfy { $0.count.all > 200 } }
        for client in clients { client.sendOutOfBand() }
        let before = clients.map(\.count)
        try waitUntil("all have more") {
            zip(clients, before).allSatisfy { $0.count.all > $1.all + 500 }
        }
        for client in clients { #expect(client.count.wrong <= 1, "\(client.count)") }
    }

    @Test("a host that closes its descriptors in the middle has all of its own bytes")
    func closed() throws {
        let host = try TestHost()
        for turn in 0..<4 {
            let clients = try Self.clients(12, host)
            try waitUntil("all have answers") { clients.allSatisfy { $0.count.all > 200 } }
            let said = try host.perform("closefrom \(turn)")
            #expect(said.hasPrefix("intact"), "\(said)")
            try waitUntil("all have ended") { clients.allSatisfy(\.isOver) }
            try host.waitForFootprint { $0.connections == 0 }
            let later = try host.perform("intact")
            #expect(later.hasPrefix("intact"), "\(later)")
            for client in clients { #expect(client.count.wrong == 0) }
        }
    }

    @Test("an agent that is stopped in the middle ends them all")
    func stopped() throws {
        let host = try TestHost()
        let before = try host.footprintAtRest().descriptors
        for _ in 0..<5 {
            let clients = try Self.clients(12, host)
            try waitUntil("all have answers") { clients.allSatisfy { $0.count.all > 200 } }
            #expect(try host.perform("stop") == "stopped")
            try waitUntil("all have ended") { clients.allSatisfy(\.isOver) }
            for client in clients { #expect(client.count.wrong == 0) }
            #expect(try host.perform("start") == "running")
        }
        #expect(try host.footprintAtRest().descriptors == before)
    }
}
