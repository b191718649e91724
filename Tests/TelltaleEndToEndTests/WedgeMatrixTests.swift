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

    private static let isSoak = ProcessInfo.processInfo.environment["TELLTALE_SOAK"] == "1"
    private static let ownerDeadline = Duration.milliseconds(200)
    private static let dumpLimit = Duration.milliseconds(500) + ownerDeadline
    private static let clientLimit = Duration.milliseconds(250) + ownerDeadline

    /// What came of asking a wedged host some times.
    private struct Course: Sendable {
        var dumps: [Duration] = []
        var clients: [Duration] = []
        /// What was said wrongly or not at all.
        var faults: [String] = []

        /// How many rounds, and the slowest of each.
        func line(_ wedge: Wedge) -> String {
            "wedge \(wedge.name): \(dumps.count) rounds, slowest dump "
                + "\(milliseconds(dumps.max())) ms, slowest client \(milliseconds(clients.max())) ms, "
                + "\(faults.count) faults"
        }

        private func milliseconds(_ duration: Duration?) -> Int {
            (duration ?? .zero).microseconds / 1000
        }
    }

    private static func ask(_ wedge: Wedge, rounds: Int) throws -> Course {
        let host = try TestHost(environment: ["TELLTALE_OWNER_DEADLINE": "200"])
        guard try host.perform("wedge \(wedge.name)") == "wedged" else {
            return Course(faults: ["it was not wedged"])
        }
        var course = Course()
        var last: MonotonicTime?
        for _ in 0..<rounds {
            // Dumps are a second apart at least, and a signal in between waits for its turn.
            while let last, MonotonicTime.now.since(last) < .milliseconds(1050) { usleep(1000) }
            var began = MonotonicTime.now
            host.send(SIGUSR1)
            let dump = try host.waitForError(containing: " END ")
            last = .now
            course.dumps.append(MonotonicTime.now.since(began))
            for text in wedge.named + wedge.read where !dump.contains(text) {
                course.faults.append("'\(text)' is not in \(dump)")
            }
            for command in [
                [], ["\(host.pid)", "status"], ["\(host.pid)", "objects"],
                ["\(host.pid)", "queues"],
            ] {
                began = .now
                let outcome = try host.telltale(command)
                course.clients.append(MonotonicTime.now.since(began))
                if outcome.status != 0 { course.faults.append("\(command): \(outcome.errors)") }
                if command.isEmpty, !outcome.output.contains("\(host.pid) ") {
                    course.faults.append("it is not listed in \(outcome.output)")
                }
            }
        }
        return course
    }

    @Test("a dump and a client are answered in time", arguments: wedges)
    func answers(wedge: Wedge) throws {
        let course = try Self.ask(wedge, rounds: 2)
        #expect(course.faults == [])
        // The median, since a machine that tests run on may do other things too; the soak counts all.
        #expect(course.dumps.sorted()[course.dumps.count / 2] <= Self.dumpLimit)
        #expect(course.clients.sorted()[course.clients.count / 2] <= Self.clientLimit)
    }

    /// Those that `TELLTALE_WEDGES` names, separated by commas; all without it.
    private static var soaked: [Wedge] {
        let names = ProcessInfo.processInfo.environment["TELLTALE_WEDGES"]?.split(separator: ",")
        return wedges.filter { wedge in names?.contains { $0 == wedge.name } ?? true }
    }

    @Test("a hundred times of a hundred", .enabled(if: isSoak, "`make soak` runs it"))
    func soak() throws {
        // Each listing asks every agent of the machine, so few are asked side by side; those that have
        // room for two clients only are asked alone.
        let narrow = ["memory", "descriptors"]
        let wide = Self.soaked.filter { !narrow.contains($0.name) }
        var groups = stride(from: 0, to: wide.count, by: 4).map {
            Array(wide[$0..<min($0 + 4, wide.count)])
        }
        groups += Self.soaked.filter { narrow.contains($0.name) }.map { [$0] }
        for group in groups {
            for (wedge, course) in zip(group, try Self.askTogether(group)) {
                print(course.line(wedge))
                #expect(course.faults == [], "\(wedge.name)")
                #expect(course.dumps.allSatisfy { $0 <= Self.dumpLimit }, "\(wedge.name)")
                #expect(course.clients.allSatisfy { $0 <= Self.clientLimit }, "\(wedge.name)")
            }
        }
    }

    private static func askTogether(_ wedges: [Wedge]) throws -> [Course] {
        let courses = Locked<[String: Course]>([:])
        for wedge in wedges {
            try NativeThread.start(name: "soak") {
                var course = Course()
                do {
                    course = try ask(wedge, rounds: 100)
                } catch {
                    course.faults = ["\(error)"]
                }
                let done = course
                courses.withLock { $0[wedge.name] = done }
            }
        }
        while courses.withLock({ $0.count }) < wedges.count { usleep(100_000) }
        return wedges.map { wedge in courses.withLock { $0[wedge.name] } ?? Course() }
    }

    private static func waitForNote(_ text: String, of host: TestHost) throws {
        try waitUntil("the agent's notes have '\(text)'") {
            try host.telltale(["\(host.pid)", "info"]).output.contains(text)
        }
    }

    @Test("hosts that come to the limit of memory right after their start are dumped, and live")
    func limitAfterStart() throws {
        // Of twelve two or three ended: a thread of the agent's that had not allocated before had no
        // heap to do it from.
        for _ in 0..<12 {
            let host = try TestHost(environment: ["TELLTALE_OWNER_DEADLINE": "200"])
            #expect(try host.perform("wedge memory") == "wedged")
            host.send(SIGUSR1)
            let dump = try host.waitForError(containing: " END ")
            #expect(dump.contains(" photos: PhotoLibrary"), "\(dump)")
            #expect(try host.telltale(["\(host.pid)", "status"]).status == 0)
            #expect(host.isRunning)
        }
    }

    @Test("with standard error closed a dump is kept, and a client shows it")
    func closedErrors() throws {
        let host = try TestHost()
        #expect(try host.perform("wedge errors-closed") == "wedged")
        host.send(SIGUSR1)
        var shown = ""
        try waitUntil("the dump is kept") {
            shown = try host.telltale(["\(host.pid)", "dump", "d1"]).output
            return shown.contains(" END ")
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
        try waitUntil("the dump is kept") {
            try host.telltale(["\(host.pid)", "dump", "d1"]).output.contains(" END ")
        }
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
