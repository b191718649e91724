import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// The first promise, state by state: a signal gives a whole dump and a new client is answered, both
/// in a bounded time, whatever the host hangs on.
@Suite(.serialized, .timeLimit(.minutes(60)))
struct WedgeMatrixTests {
    /// A state, and the parts that the dump must report as missing.
    struct Wedge: Sendable, CustomTestStringConvertible {
        var name: String
        /// The names that the dump must have.
        var named: [String] = []
        /// The objects that must be readable all the same.
        var read: [String] = []
        var testDescription: String { name }
    }

    static let wedges = [
        Wedge(
            name: "pool", named: ["VERDICT no answer from queue com.apple.main-thread"],
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

    private static let ownerDeadline = Duration.milliseconds(200)
    private static let dumpLimit = Duration.milliseconds(500)
    private static let clientLimit = Duration.milliseconds(250)
    private static let commands = [[], ["status"], ["objects"], ["queues"]]

    /// The results of asking a host several times.
    private struct Course: Sendable {
        var dumps: [Duration] = []
        /// The times of each round, in the order of the commands.
        var clients: [[Duration]] = []
        /// Wrong or missing output.
        var faults: [String] = []

        /// Returns the number of rounds, and the slowest of each.
        func line(_ name: String) -> String {
            "wedge \(name): \(dumps.count) rounds, slowest dump "
                + "\(milliseconds(dumps.max())) ms, slowest client "
                + "\(milliseconds(clients.joined().max())) ms, \(faults.count) faults"
        }

        private func milliseconds(_ duration: Duration?) -> Int {
            (duration ?? .zero).microseconds / 1000
        }
    }

    /// A host whose owners have 200 ms, and the results of asking it.
    private final class Asked {
        let host: TestHost
        var course = Course()
        private var last: MonotonicTime?

        init() throws { host = try TestHost(environment: ["TELLTALE_OWNER_DEADLINE": "200"]) }

        /// Asks once for a dump and with each client.
        ///
        /// - Parameter texts: What the dump has to hold.
        /// - Throws: What keeps the host or a client from answering at all.
        func ask(for texts: [String] = []) throws {
            // Dumps are a second apart at least, and a signal in between waits for its turn.
            while let last, MonotonicTime.now.since(last) < .milliseconds(1050) { usleep(1000) }
            var began = MonotonicTime.now
            host.send(SIGUSR1)
            let dump = try host.waitForError(containing: " END ")
            last = .now
            course.dumps.append(MonotonicTime.now.since(began))
            for text in texts where !dump.contains(text) {
                course.faults.append("'\(text)' is not in \(dump)")
            }
            var clients: [Duration] = []
            for command in commands {
                began = .now
                let outcome = try host.telltale(command.isEmpty ? [] : ["\(host.pid)"] + command)
                clients.append(MonotonicTime.now.since(began))
                if outcome.status != 0 { course.faults.append("\(command): \(outcome.errors)") }
                if command.isEmpty, !outcome.output.contains("\(host.pid) ") {
                    course.faults.append("it is not listed in \(outcome.output)")
                }
            }
            course.clients.append(clients)
        }
    }

    /// The time limit, if an unwedged host of that shape takes `control` for the same: the limit on
    /// an idle machine, and as many times that as this machine is slower. Half the limit is the
    /// time of an unwedged host on an idle machine.
    private static func limit(_ quiet: Duration, _ control: Duration) -> Duration {
        quiet * min(8, max(1, control / (quiet / 2))) + ownerDeadline
    }

    @Test("a dump and a client are answered in time", arguments: wedges)
    func answers(wedge: Wedge) throws {
        let control = try Asked()
        if ["pool", "all"].contains(wedge.name) {
            // As many threads and queues, none of which is in anybody's way.
            #expect(try control.host.perform("threads 512") == "started")
            #expect(try control.host.perform("adverse queues 600") == "staged")
        }
        let wedged = try Asked()
        #expect(try wedged.host.perform("wedge \(wedge.name)") == "wedged")
        // The commands that have missed their limit in all rounds so far: 0 for the dump, a number
        // for each client.
        var late = Set(0...Self.commands.count)
        try control.ask()
        for number in 1...5 where number <= 2 || !late.isEmpty {
            try wedged.ask()
            try control.ask()
            let (now, usual) = (wedged.course, control.course)
            func slower(_ times: [Duration]) -> Duration { times.suffix(2).max() ?? .zero }
            if let dump = now.dumps.last, dump <= Self.limit(Self.dumpLimit, slower(usual.dumps)) {
                late.remove(0)
            }
            for (index, client) in (now.clients.last ?? []).enumerated()
            where client <= Self.limit(Self.clientLimit, slower(usual.clients.map { $0[index] })) {
                late.remove(index + 1)
            }
        }
        print(wedged.course.line(wedge.name) + "; " + control.course.line("none"))
        let names = ["a dump"] + Self.commands.map { "`telltale \($0.first ?? "")`" }
        #expect(
            late.isEmpty,
            """
            never in time: \(late.sorted().map { names[$0] }); wedged \(wedged.course), \
            not wedged \(control.course)
            """)
        #expect(wedged.course.faults == [])
    }

    /// States that are dumped side by side, since hanging owners take 4 s; each of those in which the main
    /// thread runs all the time has the machine for itself.
    private static let groups: [[Wedge]] = {
        let busy = ["main-loop", "all"]
        let others = wedges.filter { !busy.contains($0.name) }
        let groups = stride(from: 0, to: others.count, by: 4)
            .map { Array(others[$0..<min($0 + 4, others.count)]) }
        return groups + wedges.filter { busy.contains($0.name) }.map { [$0] }
    }()

    @Test("a dump has all that can be read, and names all that can't", arguments: groups)
    func content(_ group: [Wedge]) throws {
        let hosts = try group.map { wedge in
            let host = try TestHost()
            try host.waitUntilLearnt()
            #expect(try host.perform("wedge \(wedge.name)") == "wedged")
            return (wedge, host)
        }
        let began = MonotonicTime.now
        for (_, host) in hosts { host.send(SIGUSR1) }
        for (wedge, host) in hosts {
            let dump = try host.waitForError(containing: " END ")
            for text in wedge.named + wedge.read {
                #expect(dump.contains(text), "\(wedge.name) has no '\(text)' in \(dump)")
            }
        }
        // Owners are asked together: one after another, the four of `all` would have taken 16 s.
        #expect(MonotonicTime.now.since(began) < .seconds(12))
    }

    /// The wedges that `TELLTALE_WEDGES` names, separated by commas; all without it.
    private static var soaked: [Wedge] {
        let names = ProcessInfo.processInfo.environment["TELLTALE_WEDGES"]?.split(separator: ",")
        return wedges.filter { wedge in names?.contains { $0 == wedge.name } ?? true }
    }

    @Test("a hundred times of a hundred", .enabled(if: Soak.isOn, "`make soak` runs it"))
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
                print(course.line(wedge.name))
                #expect(course.faults == [], "\(wedge.name)")
                // The median: a machine that tests run on may do other things too.
                #expect(
                    Self.median(course.dumps) <= Self.dumpLimit + Self.ownerDeadline,
                    "\(wedge.name)")
                #expect(
                    Self.median(Array(course.clients.joined()))
                        <= Self.clientLimit + Self.ownerDeadline, "\(wedge.name)")
            }
        }
    }

    private static func median(_ times: [Duration]) -> Duration {
        times.isEmpty ? .zero : times.sorted()[times.count / 2]
    }

    private static func askOften(_ wedge: Wedge) throws -> Course {
        let asked = try Asked()
        guard try asked.host.perform("wedge \(wedge.name)") == "wedged" else {
            return Course(faults: ["it was not wedged"])
        }
        for _ in 0..<100 { try asked.ask(for: wedge.named + wedge.read) }
        return asked.course
    }

    private static func askTogether(_ wedges: [Wedge]) throws -> [Course] {
        let courses = Locked<[String: Course]>([:])
        for wedge in wedges {
            try NativeThread.start(name: "soak") {
                var course = Course()
                do {
                    course = try askOften(wedge)
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
        // Two or three of twelve hosts ended: a thread of the agent that had not allocated before
        // had no heap to allocate from.
        let hosts = try (0..<12).map { _ in
            let host = try TestHost(environment: ["TELLTALE_OWNER_DEADLINE": "2000"])
            #expect(try host.perform("wedge memory") == "wedged")
            host.send(SIGUSR1)
            return host
        }
        // All wait for an owner that can have no thread, at the same time.
        for host in hosts {
            let dump = try host.waitForError(containing: " END ")
            #expect(dump.contains(" photos: PhotoLibrary"), "\(dump)")
            #expect(try host.telltale(["\(host.pid)", "status"]).status == 0)
            #expect(host.isRunning)
        }
    }

    private static let headrooms = [
        0, 64, 128, 256, 512, 1024, 2048, 4096, 6144, 8192, 12_288, 16_384, 20_480, 24_576, 32_768,
        65_536,
    ]

    @Test(
        "a host at its limit of data (`ulimit -d`) lives, whatever it is asked; what is refused is said",
        arguments: headrooms)
    func dataLimit(_ kibibytes: Int) throws {
        let host = try TestHost()
        try host.waitUntilLearnt()
        #expect(try host.perform("wedge data-\(kibibytes)") == "wedged")
        for command in [["get", "answer"], ["status"], ["stack"], ["stuck"], ["dump"], ["queues"]] {
            let outcome = try host.telltale(["--timeout", "5s", "\(host.pid)"] + command)
            try #require(host.isRunning, "\(command): \(outcome)")
            #expect(
                outcome.status == 0 || !outcome.errors.isEmpty || !outcome.output.isEmpty,
                "\(command): \(outcome)")
        }
        host.send(SIGUSR1)
        usleep(500_000)
        #expect(host.isRunning)
    }

    @Test("start() at the limit of data starts, or says why not", arguments: headrooms)
    func startAtDataLimit(_ kibibytes: Int) throws {
        let host = try TestHost(["unstarted"])
        #expect(try host.perform("wedge data-\(kibibytes)") == "wedged")
        let state = try host.perform("start")
        try #require(host.isRunning)
        if state == "running" {
            _ = try host.telltale(["--timeout", "5s", "\(host.pid)", "status"])
            try #require(host.isRunning)
        } else {
            #expect(state == "failed")
            #expect(try host.perform("status").contains("RLIMIT_DATA"))
        }
    }

    @Test("start() at the limit of a file's size (`ulimit -f 0`) starts, and its line is lost")
    func startAtFileSizeLimit() throws {
        let folder = try TemporaryFolder("telltale-errors")
        let host = try TestHost(shell: "exec 2>>\(folder.path)/errors; ulimit -f 0")
        #expect(try host.telltale(["\(host.pid)", "get", "answer"]).output == "42\n")
        host.send(SIGUSR1)
        #expect(try host.telltale(["\(host.pid)", "dump"]).status == 0)
        #expect(host.isRunning)
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
