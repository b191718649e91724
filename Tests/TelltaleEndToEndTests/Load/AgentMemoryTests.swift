import Foundation
import TelltaleProtocol
import TelltaleTestSupport
import Testing

/// The agent's retained memory after every command was run, as `info` reports it for the process.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct AgentMemoryTests {
    /// Issued one after another; their answers are released.
    private static let questions = [
        "objects", "show photos", "show photos --memory", "show photos --bytes",
        "show cart --computed", "show grove.plants --limit 20000", "get grove.plants.count",
        "show grove.plants --match seedling --limit 50",
        "get 'grove.plants where number > 100 sum number'",
        "get 'grove.plants sorted by title first 3'",
        "show grove.plants --fields number,title --table",
        "show grove.plants[0] --snapshot", "heap --top 100", "heap --mark", "heap --diff",
        "instances Seedling --limit 1000", "instances Seedling --where number=19999",
        "holders grove.plants[7] --path", "cycle grove.plants[7]", "roots", "types", "types Seed",
        "methods Seedling", "threads", "stack --all --full", "queues --all", "groups --all",
        "timers --all", "operations", "tasks --full", "actors --all", "stuck", "alive", "dump",
        "info", "status",
    ]

    /// In bytes, as `info` has it.
    private func memory(of host: TestHost) throws -> UInt64 {
        try host.waitForFootprint { $0.connections == 0 }.residentBytes
    }

    @Test("is less than 10 MB, whatever was asked for")
    func afterAll() throws {
        let host = try TestHost(["properties"])
        try host.perform("plant 20000")
        try host.perform("grove")
        // The client's own handshake is there in any case.
        #expect(try host.telltale(["\(host.pid)", "status"]).status == 0)
        let before = try memory(of: host)
        for question in Self.questions {
            let parts = question.split(separator: "'", omittingEmptySubsequences: false)
            let arguments = parts.enumerated().flatMap { index, part in
                index % 2 == 1
                    ? [String(part)] : part.split(separator: " ").map(String.init)
            }
            let outcome = try host.telltale(["\(host.pid)"] + arguments)
            // An empty answer is an answer too, and so is one without enough time.
            #expect(
                [0, 1, 5].contains(outcome.status),
                "\(question): \(outcome.status) \(outcome.errors)")
        }
        let after = try memory(of: host)
        print("agent's memory: \((Int(after) - Int(before)) >> 10) KiB more")
        #expect(after < before + 10 << 20, "\(before >> 10) KiB before, \(after >> 10) after")
    }

    // The C library gives a new thread any unused heap, and keeps the memory that a dump needed of
    // it. The lowest of several rounds is compared: the kernel counts pages in batches, and the
    // agent's look at what grows, every few seconds, has memory of its own for a moment.
    @Test("does not grow with the clients that come one after another")
    func oneHeapForAll() throws {
        let host = try TestHost(["properties"])
        try host.perform("plant 20000")
        try host.perform("grove")
        let question = ["\(host.pid)", "show", "grove.plants", "--limit", "5000"]
        let rounds = try (0..<14).map { _ in
            #expect(try host.telltale(question).status == 0)
            let memory = try memory(of: host)
            // It has the heap of any thread of the agent's that has ended.
            try host.perform("threads 1")
            return memory
        }
        let before = try #require(rounds[2..<7].min())
        let after = try #require(rounds[9...].min())
        #expect(after < before + 1 << 20, "\(rounds.map { $0 >> 10 }) KiB")
    }
}
