import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// The first promise, state by state: a signal gives a whole dump and a new client is answered, both
/// in a bounded time, whatever the host hangs on.
@Suite(.serialized, .timeLimit(.minutes(60)))
struct WedgeMatrixTests {
    /// A state, and what must be said to be missing in it.
    struct Wedge: Sendable, CustomTestStringConvertible {
        var name: String
        /// What the dump must name.
        var named: [String] = []
        /// What must be readable all the same.
        var read: [String] = []
        var testDescription: String { name }
    }

    static let wedges = [
        Wedge(
            name: "pool", named: ["!com.apple.main-thread"],
            read: [" photos: PhotoLibrary", " store: Store"]),
        Wedge(
            name: "cooperative", read: [" photos: PhotoLibrary", " store: Store", " cache: Cache"]),
        Wedge(
            name: "main-lock", named: ["view View on main actor: UNANSWERED"], read: [" photos: "]),
        Wedge(
            name: "main-read", named: ["view View on main actor: UNANSWERED"], read: [" photos: "]),
        Wedge(
            name: "main-loop", named: ["view View on main actor: UNANSWERED"], read: [" photos: "]),
        Wedge(
            name: "queue-suspended",
            named: ["photos PhotoLibrary on queue test.photos: UNANSWERED"],
            read: [" store: Store", " view: View"]),
        Wedge(
            name: "queue-hung", named: ["photos PhotoLibrary on queue test.photos: UNANSWERED"],
            read: [" store: Store", " view: View"]),
        Wedge(
            name: "queue-main-deadlock",
            named: [
                "photos PhotoLibrary on queue test.photos: UNANSWERED",
                "view View on main actor: UNANSWERED",
            ], read: [" store: Store", " cache: Cache"]),
        Wedge(name: "actor", named: ["store Store on its actor: UNANSWERED"], read: [" photos: "]),
        Wedge(name: "lock", named: ["cache Cache on its lock: UNANSWERED"], read: [" photos: "]),
        Wedge(name: "memory", read: [" photos: PhotoLibrary", " store: Store"]),
        Wedge(name: "descriptors", read: [" photos: PhotoLibrary", " store: Store"]),
        Wedge(
            name: "all",
            named: [
                "photos PhotoLibrary on queue test.photos: UNANSWERED",
                "view View on main actor: UNANSWERED", "store Store on its actor: UNANSWERED",
                "cache Cache on its lock: UNANSWERED",
            ], read: [" answer: 42"]),
    ]

    /// How often each is asked: the full figure is `make soak`'s.
    private static let isSoak = ProcessInfo.processInfo.environment["TELLTALE_SOAK"] == "1"
    private static let rounds = isSoak ? 100 : 2
    private static let ownerDeadline = Duration.milliseconds(200)

    @Test("a dump and a client are answered in time", arguments: wedges)
    func answers(wedge: Wedge) throws {
        let host = try TestHost(environment: ["TELLTALE_OWNER_DEADLINE": "200"])
        #expect(try host.perform("wedge \(wedge.name)") == "wedged")
        var last: MonotonicTime?
        var dumps: [Duration] = []
        var clients: [Duration] = []
        for _ in 0..<Self.rounds {
            // Dumps are a second apart at least, and a signal in between waits for its turn.
            while let last, MonotonicTime.now.since(last) < .milliseconds(1050) {}
            var began = MonotonicTime.now
            host.send(SIGUSR1)
            let dump = try host.waitForError(containing: " END ")
            last = .now
            dumps.append(MonotonicTime.now.since(began))
            for text in wedge.named + wedge.read {
                #expect(dump.contains(text), "'\(text)' is not in \(dump)")
            }
            for command in [
                [], ["\(host.pid)", "status"], ["\(host.pid)", "objects"],
                ["\(host.pid)", "queues"],
            ] {
                began = .now
                let outcome = try host.telltale(command)
                clients.append(MonotonicTime.now.since(began))
                #expect(outcome.status == 0, "\(command): \(outcome.errors)")
                if command.isEmpty { #expect(outcome.output.contains("\(host.pid) ")) }
            }
        }
        print(
            "wedge \(wedge.name): \(Self.rounds) rounds, slowest dump \(Self.slowest(dumps)), "
                + "slowest client \(Self.slowest(clients))")
        #expect(Self.counted(dumps) <= .milliseconds(500) + Self.ownerDeadline)
        #expect(Self.counted(clients) <= .milliseconds(250) + Self.ownerDeadline)
    }

    private static func slowest(_ times: [Duration]) -> Duration { times.max() ?? .zero }

    // All of the soak count. In a short run on a machine that others use too, the median does.
    private static func counted(_ times: [Duration]) -> Duration {
        isSoak ? slowest(times) : times.sorted()[times.count / 2]
    }

    private static func waitForNote(_ text: String, of host: TestHost) throws {
        while !(try host.telltale(["\(host.pid)", "info"]).output.contains(text)) {}
    }

    @Test("with standard error closed a dump is kept, and a client shows it")
    func closedErrors() throws {
        let host = try TestHost()
        #expect(try host.perform("wedge errors-closed") == "wedged")
        host.send(SIGUSR1)
        var shown = ""
        while !shown.contains(" END ") {
            shown = try host.telltale(["\(host.pid)", "dump", "d1"]).output
        }
        #expect(shown.contains(" photos: PhotoLibrary"))
        #expect(
            try host.telltale(["\(host.pid)", "info"]).output.contains("standard error took 0"))
    }

    @Test("nothing is written into a connection that got standard error's number")
    func takenErrors() throws {
        let host = try TestHost()
        #expect(try host.perform("wedge errors-taken") == "wedged")
        host.send(SIGUSR1)
        while !(try host.telltale(["\(host.pid)", "dump", "d1"]).output.contains(" END ")) {}
        #expect(
            try host.telltale(["\(host.pid)", "info"]).output.contains("standard error took 0"))
        #expect(try host.perform("wedge errors-got") == "-1")
    }

    @Test("a dump that its file has no room for goes to standard error, and the host lives")
    func fullDisk() throws {
        let folder = try TemporaryFolder("telltale-full")
        let host = try TestHost(environment: ["TELLTALE_OUTPUT": "\(folder.path)/{id}.txt"])
        #expect(try host.perform("wedge file-size") == "wedged")
        host.send(SIGUSR1)
        let text = try host.waitForError(containing: " END ")
        #expect(text.contains("dump d1 could not be written"))
        #expect(text.contains(" photos: PhotoLibrary"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        #expect(host.isRunning)
    }
}
