import Foundation
import Synchronization
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Clients that mean no good. After each attack the host lives, answers, and has no more descriptors,
/// threads or memory than after a first, smaller round of the same attack.
@Suite(.serialized, .timeLimit(.minutes(Soak.isOn ? 20 : 5)))
struct HostileClientTests {
    // MARK: Vanishing

    @Test("clients that vanish at any point leave nothing behind")
    func abruptDisconnects() throws {
        let host = try TestHost()
        try Attack.run(host, count: Soak.count(200, soak: 1_000)) { path, number in
            let kind = number % 8
            let client = kind == 5 || kind == 7 ? try Attack.greeted(path) : try RawClient(path)
            switch kind {
            case 0: break
            case 1: client.send(Array(RawClient.hello.utf8.prefix(20)))
            case 2: client.send(Array("objec".utf8))
            case 3: client.send(line: RawClient.hello)
            case 4:
                client.send(line: RawClient.hello)
                client.send(line: Attack.request("dump", #"{"stream":true}"#))
            case 5:
                client.send(Array(Attack.request("show", #"{"path":"photos"}"#).utf8.dropLast()))
            case 6: client.send(line: "show photos")
            default: for id in 0..<50 { client.send(line: Attack.request("info", id: id)) }
            }
        }
    }

    @Test("any number of clients at once take no more threads and descriptors than the bound says")
    func connectsAtOnce() throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let count = min(Soak.count(200, soak: 1_000), Int(clamping: limit.rlim_cur) - 100)
        let host = try TestHost()
        let path = try host.socketPath()
        connectAtOnce(40, to: path).expectNoFailure()
        try Attack.expectService(of: host)
        let before = try host.footprintAtRest()
        do {
            let watch = PeakWatch(pid: host.pid)
            let looker = LookerThread(path, [("info", "{}")]) { _, info in Self.overBound("\(info)")
            }
            let clients = connectAtOnce(count, to: path)
            clients.expectNoFailure()
            // Clients are let in one after another, so that this one's answer says that all were.
            let newcomer = try RawClient(path)
            newcomer.send(line: RawClient.hello)
            #expect(newcomer.line()?.contains("\"result\"") == true)
            // Waits until the attack has reached the agent.
            try host.waitForFootprint { $0.connections >= 8 }
            let peak = try watch.end()
            try waitUntil("the agent has said how many there are") { looker.count > 0 }
            // The observing client has to give way as well.
            let over = looker.end().failures.keys.filter { $0.hasPrefix("info: ") }
            #expect(over.isEmpty, "\(over)")
            // A thread that has left its place is seen until it has had a processor to end on.
            #expect(peak.connections <= 32, "\(peak)")
            // The folder is read while they come and go, so that some of them are counted twice.
            #expect(peak.descriptors <= before.descriptors + 2 * 16, "\(before), then \(peak)")
            #expect(clients.hungUp >= count - 16)
        }
        try Attack.expectRecovery(of: host, to: before)
    }

    @Test("beside clients that are all busy a newcomer's place is there once another has left it")
    func newcomersBesideBusyClients() throws {
        let host = try TestHost(environment: ["TELLTALE_OWNER_DEADLINE": "60000"])
        let path = try host.socketPath()
        try host.perform("block")
        let busy = try (0..<15).map { id in
            let client = try Attack.greeted(path)
            // The answer to the first says that the agent has the second, which can't be answered.
            client.send(
                line: Attack.request("changes", id: id) + "\n"
                    + Attack.request("get", id: id, #"{"path":"photos.prompt"}"#))
            #expect(client.line()?.contains(#""result""#) == true)
            return client
        }
        // Each takes the last place from the one before it, and counts at once.
        let count = Soak.count(100, soak: 10_000)
        var last: RawClient?
        var answers = 0
        var over: Set<String> = []
        try waitUntil("\(count) newcomers are answered") {
            let newcomer = try RawClient(path)
            newcomer.send(line: RawClient.hello + "\n" + Attack.request("info"))
            // A client that comes while the previous one is being answered finds all of them busy.
            guard newcomer.line()?.contains(#""result""#) == true, let info = newcomer.line()
            else { return false }
            answers += 1
            if let complaint = Self.overBound(info) { over.insert(complaint) }
            last = newcomer
            return answers == count
        }
        #expect(over.isEmpty, "\(over)")
        try host.perform("unblock")
        // None of the waiting clients had to give way, whether there was time for them or not.
        for client in busy { #expect(client.line() != nil) }
        withExtendedLifetime(last) {}
    }

    // The agent's own count must not exceed its bound for a moment.
    private static func overBound(_ info: String) -> String? {
        guard let match = info.firstMatch(of: /(\d+) of 16, \d+ turned away/),
            let open = Int(match.1)
        else { return "no count of connections in \(info)" }
        return open <= 16 ? nil : "\(match.0)"
    }

    /// Connects from several threads, and keeps all connections open.
    private func connectAtOnce(_ count: Int, to path: String) -> Clients {
        let clients = Clients()
        let group = DispatchGroup()
        for thread in 0..<20 {
            group.enter()
            Thread.detachNewThread {
                for _ in stride(from: thread, to: count, by: 20) { clients.connect(to: path) }
                group.leave()
            }
        }
        group.wait()
        return clients
    }

    // MARK: Not reading, and hardly writing

    @Test(
        "clients that ask for much and read nothing are dropped, and others are answered meanwhile")
    func neverReading() throws {
        let host = try TestHost()
        let path = try host.socketPath()
        // More than the socket's buffers take: the agent has to wait for a reader.
        let request = Array((Attack.request("info") + "\n").utf8)
        let flood = Array(repeating: request, count: 1_000).flatMap { $0 }
        func round(_ count: Int) throws {
            let clients = try (0..<count).map { _ in
                let client = try RawClient(path)
                client.send(line: RawClient.hello)
                // A part of it: bytes that the agent doesn't take are not waited for.
                client.send(Array(flood.prefix(100_000)), seconds: 1)
                return client
            }
            try Attack.expectService(of: host)
            try waitUntil("all are dropped") { clients.allSatisfy(\.isHungUp) }
        }
        try round(2)
        try Attack.expectService(of: host)
        let before = try host.footprintAtRest()
        for _ in 0..<Soak.count(1, soak: 10) { try round(12) }
        try Attack.expectRecovery(of: host, to: before)
    }

    @Test("a request that trickles in is given up at its deadline, though it never pauses for long")
    func byteByByte() throws {
        let host = try TestHost()
        let path = try host.socketPath()
        try Attack.expectService(of: host)
        let before = try host.footprintAtRest()
        do {
            let client = try RawClient(path)
            client.send(line: RawClient.hello)
            #expect(client.line()?.contains("\"result\"") == true)
            let began = MonotonicTime.now
            client.send(Array("{".utf8))
            try waitUntil("it is given up") {
                client.send(Array(" ".utf8))
                usleep(50_000)
                return client.isHungUp
            }
            // The deadline of a command is 5 s; the client paused for 50 ms at most.
            #expect(MonotonicTime.now.since(began) > .seconds(4))
            #expect(client.line()?.contains("was begun and not ended in 5 s") == true)
        }
        try Attack.expectRecovery(of: host, to: before)
    }

    @Test("a request that comes a byte at a time is answered all the same")
    func slowButInTime() throws {
        let host = try TestHost()
        let client = try RawClient(host.socketPath())
        for byte in Array((RawClient.hello + "\n").utf8) { client.send([byte]) }
        #expect(client.line()?.contains("\"result\"") == true)
    }

    // MARK: Taking all places

    @Test("newcomers are let in one after another while sixteen clients hold on")
    func allPlacesHeld() throws {
        let host = try TestHost()
        let path = try host.socketPath()
        var held: [RawClient] = []
        func hold() throws -> RawClient {
            let client = try RawClient(path)
            client.send(line: RawClient.hello)
            #expect(client.line()?.contains("\"result\"") == true)
            return client
        }
        try Attack.expectService(of: host)
        held = try (0..<16).map { _ in try hold() }
        held = []
        let before = try host.footprintAtRest()
        for number in 0..<Soak.count(200, soak: 1_000) {
            let newcomer = try hold()
            newcomer.send(line: Attack.request("get", id: number, #"{"path":"answer"}"#))
            #expect(newcomer.line()?.contains("\"id\":\(number)") == true)
            // A client that gave way reconnects at once.
            held = held.suffix(15) + [newcomer]
        }
        held = []
        try Attack.expectRecovery(of: host, to: before)
    }

    @Test("while all places are busy a newcomer is told so, and let in when one is free")
    func allPlacesBusy() throws {
        let host = try TestHost()
        let path = try host.socketPath()
        func round() throws {
            try host.perform("block")
            defer { _ = try? host.perform("unblock") }
            // Each waits for a queue that doesn't answer; one that is between two requests when the
            // next comes gives way to it, so there may have to be some more than sixteen.
            let requests = (0..<30).map {
                Attack.request("get", id: $0, #"{"path":"photos.prompt"}"#) + "\n"
            }
            var busy: [RawClient] = []
            var answer = ""
            while !answer.contains(Attack.busy), busy.count < 60 {
                let client = try RawClient(path)
                client.send(Array((RawClient.hello + "\n" + requests.joined()).utf8))
                answer = try #require(client.line())
                busy.append(client)
            }
            #expect(answer.contains(Attack.busy), "\(answer)")
            #expect(busy.count > 16)
            #expect(busy.last?.closes() == true)
        }
        try round()
        try Attack.expectService(of: host)
        let before = try host.footprintAtRest()
        try round()
        try Attack.expectRecovery(of: host, to: before)
    }

    @Test("a host that can have no further thread lets newcomers in while its places are held")
    func placesWithoutThreads() throws {
        let host = try TestHost()
        let path = try host.socketPath()
        try Attack.expectService(of: host)
        try host.perform("wedge memory")
        // All but the first wait for the thread that the first one has, and none of them ends.
        var held: [RawClient] = []
        for _ in 0..<40 {
            let client = try RawClient(path)
            client.send(line: RawClient.hello)
            held.append(client)
        }
        // A client that has been served and asks for nothing more gives way to a waiting one.
        let newcomer = try RawClient(path)
        newcomer.send(line: RawClient.hello)
        #expect(newcomer.line(seconds: 30)?.contains("\"result\"") == true)
        withExtendedLifetime(held) {}
    }

    @Test("half a line of a client that has to give way is not a command")
    func halfALineGivesWay() throws {
        let host = try TestHost()
        let path = try host.socketPath()
        let person = try RawClient(path)
        person.send(line: "get answer")
        #expect(person.line() == "42")
        // Only the end of the line is missing: it would be a complete command.
        person.send(Array("photos.prompt = \"half".utf8) + Array("\"".utf8))
        let crowd = try (0..<20).map { _ in
            let client = try RawClient(path)
            client.send(line: RawClient.hello)
            #expect(client.line()?.contains("\"result\"") == true)
            return client
        }
        #expect(person.closes())
        try waitUntil("its thread has ended") { person.isHungUp }
        #expect(try host.perform("prompt") == "nil")
        withExtendedLifetime(crowd) {}
    }

}

/// Connections that several threads make.
private final class Clients: @unchecked Sendable {
    // Guarded by `lock`; read without it once the threads have ended.
    private let lock = NSLock()
    private var all: [RawClient] = []
    private var failures: [String] = []

    func connect(to path: String) {
        do {
            let client = try RawClient(path)
            client.send(line: RawClient.hello)
            lock.withLock { all.append(client) }
        } catch {
            lock.withLock { failures.append("\(error)") }
        }
    }

    var hungUp: Int { all.count { $0.isHungUp } }

    func expectNoFailure() { #expect(failures.isEmpty) }
}

/// Looks at a host again and again, and keeps the most that it saw.
private final class PeakWatch: Sendable {
    private let peak: Mutex<HostFootprint?>
    private let isOver = Atomic<Bool>(false)
    private let done = DispatchSemaphore(value: 0)

    init(pid: Int32) {
        peak = Mutex(HostFootprint(of: pid))
        Thread.detachNewThread { [self] in
            while !isOver.load(ordering: .relaxed) {
                guard let now = HostFootprint(of: pid) else { break }
                peak.withLock { $0 = $0?.most(with: now) }
            }
            done.signal()
        }
    }

    func end() throws -> HostFootprint {
        isOver.store(true, ordering: .relaxed)
        done.wait()
        return try #require(peak.withLock { $0 })
    }
}
