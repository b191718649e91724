#if os(Linux)
import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// The agent's references to the host's objects are released on their owner: the host has objects
/// whose `deinit` ends the process anywhere else.
@Suite(.serialized, .timeLimit(.minutes(Soak.isOn ? 60 : 5)))
struct OwnedReferenceTests {
    private static let owners = ["serial", "concurrent", "main", "actor", "lock"]

    private func start() throws -> TestHost {
        // The audit's lines have no reader.
        let host = try TestHost(["bound"], environment: ["TELLTALE_AUDIT": "off"])
        // All is registered once it answers.
        #expect(try host.perform("bound races") == "0")
        return host
    }

    private func ask(_ host: TestHost, _ arguments: String...) throws -> String {
        let outcome = try host.telltale(["\(host.pid)"] + arguments)
        #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
        return outcome.output
    }

    private func set(_ client: RawClient, _ owner: String, _ change: String = "-> nil") throws {
        client.send(line: "set bound.\(owner).part nil")
        let answer = try #require(client.line(), "the host has died")
        #expect(answer.contains(change), "\(answer)")
    }

    @Test(
        "a value that was replaced is freed on its owner: evicted, undone, and at stop()",
        arguments: owners)
    func replaced(_ owner: String) throws {
        let host = try start()
        let client = try RawClient(try host.socketPath())
        for _ in 1...4 {
            try set(client, owner)
            try host.perform("bound renew \(owner)")
        }
        // Two changes are kept.
        try host.wait(for: "bound counts \(owner)", toBe: "5 2")
        try set(client, owner, "change 5")
        client.send(line: "undo 5")
        #expect(try #require(client.line()).contains("undoes 5"))
        try host.wait(for: "bound counts \(owner)", toBe: "5 4")
        try set(client, owner, "change 7")
        #expect(try host.perform("stop") == "stopped")
        try host.wait(for: "bound counts \(owner)", toBe: "5 5")
        #expect(host.isRunning)
    }

    @Test("a thousand replaced values are freed exactly once each, none early")
    func thousand() throws {
        let host = try start()
        let client = try RawClient(try host.socketPath())
        for owner in ["serial", "actor"] {
            for _ in 1...500 {
                try set(client, owner)
                try host.perform("bound renew \(owner)")
            }
        }
        // The host holds the last one of each, and the log two.
        try host.wait(for: "bound counts serial", toBe: "501 500")
        try host.wait(for: "bound counts actor", toBe: "501 498")
        #expect(try host.perform("stop") == "stopped")
        try host.wait(for: "bound counts actor", toBe: "501 500")
    }

    @Test("of a million sets of references, texts and lists each old value is freed on its owner")
    func million() throws {
        let host = try start()
        let path = try host.socketPath()
        let rounds = Soak.count(100, soak: 66_667)
        func run(_ rounds: Int) throws {
            let client = try RawClient(path)
            for round in 0..<rounds {
                let lines = Self.owners.flatMap { owner in
                    [
                        "set bound.\(owner).renewed nil",
                        "set bound.\(owner).text \"a text of more than fifteen bytes \(round)\"",
                        "set bound.\(owner).list [\"an element of more than fifteen bytes \(round)\", \"b\"]",
                    ]
                }
                // Sent together: an answer has a line, and its setter's effect another.
                client.send(line: lines.joined(separator: "\n"))
                var changes = 0
                while changes < lines.count {
                    let line = try #require(client.line(), "the host has died")
                    if line.contains("(change ") { changes += 1 }
                    if line.contains("error") { Issue.record("\(line)") }
                }
            }
        }
        try run(10)
        let before = try host.footprintAtRest()
        try run(rounds)
        let after = try host.footprintAtRest()
        // A sanitizer keeps freed memory.
        let bound: UInt64 = BuiltProgram.isOtherHost ? 512 << 20 : 4 << 20
        #expect(after.residentBytes < before.residentBytes + bound, "\(before), then \(after)")
        // `part`, `renewed`, and the objects that the log keeps of two changes.
        for owner in Self.owners {
            let made = rounds + 11
            try host.wait(for: "bound counts \(owner)", toBe: "\(made) \(made - 2)")
        }
        #expect(host.isRunning)
    }

    @Test(
        "an owner that is late has its references kept and counted until it answers",
        arguments: owners)
    func late(_ owner: String) throws {
        let host = try start()
        let client = try RawClient(try host.socketPath())
        try set(client, owner)
        try host.perform("bound block \(owner)")
        for prompt in ["a", "b"] {
            client.send(line: "set photos.prompt \(prompt)")
            #expect(try #require(client.line()).contains("photos.prompt"))
        }
        try waitUntil("info counts it") {
            try ask(host, "info").contains("1 kept, until its owner answers")
        }
        #expect(try host.perform("bound counts \(owner)") == "1 0")
        try host.perform("bound release")
        try host.wait(for: "bound counts \(owner)", toBe: "1 1")
        try waitUntil("info counts none") {
            try ask(host, "info").contains("none kept for an owner")
        }
    }

    /// An actor that runs on a thread of the agent for an owner access continues there with the
    /// host's own jobs.
    @Test(
        "a job of the host's that blocks on a thread of the agent's is found, and the actor's next turn comes"
    )
    func blockedOnWorker() throws {
        let host = try start()
        let client = try RawClient(try host.socketPath())
        client.send(line: "call guardian.follow()")
        #expect(try #require(client.line()).contains("follow"))
        var thread: String?
        try waitUntil("the second job blocks") {
            thread = try Self.thread("Guardian.wait(for:_:)", in: ask(host, "stack", "--all"))
            return thread?.contains("waiting in futex") == true
        }
        let blocked = try #require(thread)
        #expect(blocked.contains("telltale-work"), "\(blocked)")
        #expect(!blocked.contains("the agent's"), "\(blocked)")
        let found = try ask(host, "stuck", "--after", "100ms")
        #expect(found.contains("WAITS LONG") && found.contains("Guardian.wait(for:_:)"), "\(found)")
        try host.perform("bound release")
        client.send(line: "get bound.actor.part")
        #expect(try #require(client.line()).contains("Part("))
    }

    /// The first thread of a listing that is in a function.
    private static func thread(_ function: String, in stacks: String) -> String? {
        stacks.components(separatedBy: "\n\n").first { $0.contains(function) }
    }

    @Test("looking at objects while the host lets them go does not free them elsewhere")
    func races() throws {
        let host = try start()
        let path = try host.socketPath()
        let places = ["serial", "concurrent", "main", "lock", "thread"]
        for place in places { try host.perform("bound race \(place) 150") }
        let clients = try (0..<2).map { _ in try RawClient(path) }
        for client in clients { client.send(line: RawClient.hello) }
        for client in clients { #expect(client.line() != nil) }
        var asked = 0
        try waitUntil("all races are run, after \(asked) questions", seconds: 60) {
            for (index, client) in clients.enumerated() {
                let place = places[asked % places.count]
                let method = (asked + index) % 3
                let request =
                    method == 0
                    ? #""objects","params":{}"#
                    : #""show","params":{"path":"racing.\#(place)","snapshot":\#(method == 1)}"#
                client.send(line: #"{"jsonrpc":"2.0","id":1,"method":\#(request)}"#)
            }
            asked += 1
            for client in clients { _ = try #require(client.line(), "the host has died") }
            return try host.perform("bound races") == "0"
        }
        #expect(host.isRunning)
    }

    @Test("an actor that dies while it is looked at dies on the queue that it runs on")
    func actorOnAQueue() throws {
        let host = try TestHost()
        let client = try RawClient(try host.socketPath())
        client.send(line: RawClient.hello)
        #expect(client.line() != nil)
        #expect(try host.perform("bound-actor 150") == "begun")
        let questions = [
            #""show","params":{"path":"bound.executor"}"#, #""actors","params":{}"#,
            #""objects","params":{}"#,
        ]
        var asked = 0
        try waitUntil("all of them have died", seconds: 60) {
            asked += 1
            let question = questions[asked % questions.count]
            client.send(line: #"{"jsonrpc":"2.0","id":1,"method":\#(question)}"#)
            _ = try #require(client.line(), "the host has died")
            return try host.perform("bound-actor left") == "0"
        }
        #expect(asked > 20 && host.isRunning)
    }

    @Test(
        "the memory of objects that have gone is not kept, with an agent and without",
        arguments: [[], ["unstarted"]])
    func memory(_ options: [String]) throws {
        let host = try TestHost(options)
        let growth = try #require(Int(try host.perform("large-objects 400")))
        // They have 100 MiB together.
        #expect(growth < 20 << 10, "\(growth) KiB")
    }

    @Test("an action's arguments are freed on its owner")
    func arguments() throws {
        let host = try start()
        #expect(try ask(host, "call", "bound.take(7)").contains("2"))
        try host.wait(for: "bound counts serial", toBe: "2 1")
        #expect(host.isRunning)
    }
}
#endif
