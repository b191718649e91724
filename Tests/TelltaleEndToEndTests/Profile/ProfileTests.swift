import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// `profile` of a host whose functions take known parts of its processor time.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct ProfileTests {
    /// The parts of the functions' own rows, in per cent, by the beginning of their names.
    private static func shares(_ table: String) -> [String: Double] {
        var shares: [String: Double] = [:]
        for line in table.split(separator: "\n") where line.contains("SpendModes.spend") {
            guard let percent = line.split(separator: " ").first?.dropLast(),
                let share = Double(percent),
                let start = line.firstRange(of: "SpendModes.")?.upperBound
            else { continue }
            shares[String(line[start...].prefix { $0.isLetter })] = share
        }
        return shares
    }

    // Within 8 points: 300 samples have a standard deviation of 2.6, nine parts are judged, and the machine may be busy.
    @Test(
        "functions have their parts of the processor time", arguments: ["queue", "thread", "task"])
    func accuracy(kind: String) throws {
        let host = try TestHost()
        try host.perform("spend \(kind)")
        let outcome = try host.telltale(["\(host.pid)", "profile", "--for", "3s"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let shares = Self.shares(outcome.output)
        for (function, share) in [("spendMost", 72.5), ("spendSome", 20), ("spendLittle", 7.5)] {
            #expect(
                abs((shares[function] ?? 0) - share) < 8, "\(function) of \(outcome.output)")
        }
        if kind == "queue" { #expect(outcome.output.contains("test.spent"), "\(outcome.output)") }
    }

    @Test("one queue is profiled alone")
    func queue() throws {
        let host = try TestHost()
        try host.perform("spend queue")
        try host.perform("spend thread")
        let outcome = try host.telltale(
            ["\(host.pid)", "--json", "profile", "--for", "1s", "--queue", "test.spent"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.output.contains("\"origin\":\"test.spent\""), "\(outcome.output.prefix(999))")
        #expect(!outcome.output.contains("\"origin\":\"thread"), "\(outcome.output.prefix(999))")
    }

    @Test("read, write and nanosleep of the host are not ended by it")
    func calls() throws {
        let host = try TestHost()
        try host.perform("spend waits")
        #expect(
            try host.telltale(["\(host.pid)", "profile", "--for", "2s", "--rate", "500"]).status
                == 0)
        #expect(try host.perform("spend interrupted").split(separator: " ").last == "0")
    }

    @Test("a profile that --timeout cuts short says so")
    func cut() throws {
        let host = try TestHost()
        let outcome = try host.telltale(["--timeout", "1500ms", "\(host.pid)", "profile"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("--timeout left ") && outcome.output.contains(" of 10 s"))
    }

    @Test("threads that come and go between the looks are said to be unseen")
    func shortThreads() throws {
        let host = try TestHost()
        try host.perform("spend short")
        let outcome = try host.telltale(["\(host.pid)", "profile", "--for", "2s"])
        #expect(outcome.status == 0 && outcome.output.contains("SpendModes"), "\(outcome.output)")
        // Each of them lives for less time than there is between two looks.
        #expect(outcome.output.contains("cpu that was not seen: "), "\(outcome.output)")
    }

    @Test("a client that is killed ends its profile, and the next one begins at once")
    func killed() throws {
        let host = try TestHost()
        let outcome = try host.shell(
            #"timeout -s KILL 1 "$TELLTALE_CLIENT" "$PID" profile --for 60s; "$TELLTALE_CLIENT" "$PID" status"#
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        try waitUntil("the profile has ended") {
            try host.telltale(["\(host.pid)", "profile", "--for", "100ms"]).status == 0
        }
    }

    @Test("the file has the format that its name or --format says")
    func files() throws {
        let host = try TestHost()
        try host.perform("spend queue")
        let folder = try TemporaryFolder("telltale-profile-test")
        for (name, beginning) in [
            ("p.svg", "<?xml version"), ("p.folded", ""), ("p.json", "{\"$schema\""),
        ] {
            let file = "\(folder.path)/\(name)"
            let outcome = try host.telltale(
                ["\(host.pid)", "profile", "--for", "300ms", "--output", file])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let text = String(
                decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
            #expect(text.hasPrefix(beginning) && text.contains("spendMost"), "\(text.prefix(300))")
        }
    }
}
