import Foundation
import Synchronization
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Eight threads write objects with a field of every kind while two clients read them.
@Suite(.serialized, .timeLimit(.minutes(Soak.isOn ? 20 : 5)))
struct WriterTests {
    /// The beginnings of a sanitizer's report, and of the Swift runtime's last words.
    private static let reports = ["Sanitizer", "runtime error:", "Fatal error", "*** "]

    private static let owned: [(String, String)] =
        WrittenValues.owners.flatMap { owner in
            [
                WrittenValues.request("written.\(owner)"), WrittenValues.request("written.shared"),
                WrittenValues.request("written.\(owner)", more: #","snapshot":true"#),
                ("get", #"{"path":"written.\#(owner)"}"#),
            ]
        } + [
            ("show", #"{"path":"written.serial.nested","bytes":true}"#),
            ("show", #"{"path":"written.serial.object","memory":true}"#),
            ("show", #"{"path":"written.lock.dynamic","match":"text"}"#),
            ("get", #"{"path":"written.main.structs where number >= 0 count"}"#),
            ("get", #"{"path":"written.serial.dynamic.guarded.work.list.count"}"#),
            ("objects", "{}"), ("dump", "{}"),
        ]

    private static let loose: [(String, String)] =
        (0..<8).flatMap { number in
            [
                WrittenValues.request("loose.\(number)"), ("get", #"{"path":"loose.\#(number)"}"#),
                WrittenValues.request("loose.\(number)", more: #","snapshot":true"#),
            ]
        } + [
            ("show", #"{"path":"loose.0","bytes":true}"#),
            ("show", #"{"path":"loose.1","match":"text"}"#), ("dump", "{}"),
        ]

    /// Reads while the host runs `command`, and demands progress without complaints.
    private func read(
        _ host: TestHost, _ command: String, _ requests: [(String, String)], seconds: Int,
        wrong: @escaping (String, [String: Any]) -> String?
    ) throws {
        let path = try host.socketPath()
        try host.perform("writers \(command)")
        let half = requests.count / 2
        let lookers = [
            LookerThread(path, requests, check: wrong),
            LookerThread(path, Array(requests[half...] + requests[..<half]), check: wrong),
        ]
        let began = MonotonicTime.now
        while MonotonicTime.now.since(began) < .seconds(seconds)
            || !lookers.allSatisfy({ $0.count >= requests.count })
        {
            usleep(500_000)
            #expect(host.isRunning)
            if !host.isRunning || MonotonicTime.now.since(began) > .seconds(seconds + 200) { break }
        }
        let reports = lookers.map { $0.end() }
        for report in reports {
            // If other processes have the processors, an answer may say that there was no time for
            // it, or that a writer holds the lock of a value it has not begun to write.
            let failures = report.failures.filter { failure in
                !["by the deadline", "holds its lock"].contains { failure.key.contains($0) }
            }
            #expect(failures.isEmpty, "\(failures)")
            #expect(report.answers >= requests.count)
        }
        try #require(host.isRunning, "the host has died")
        print("writers \(command):", try host.perform("writers"), reports.map(\.answers), "answers")
        try host.perform("writers stop")
        try host.wait(for: "writers", toBe: "running 0") { $0.hasSuffix("running 0") }
    }

    /// A host whose complaints are kept in a file, and the complaints.
    private func withHost(_ body: (TestHost) throws -> Void) throws {
        let folder = try TemporaryFolder("telltale-writers")
        let errors = "\(folder.path)/errors"
        // Several threads write a value of a `Mutex`, in one function alone: the thread sanitizer
        // does not see that lock, which is the runtime's, and reports each of them as a race.
        let known = "\(folder.path)/known"
        try "race:WrittenGuarded".write(toFile: known, atomically: false, encoding: .utf8)
        // The address sanitizer's stacks of its own make it unknown how much of a stack is left.
        let host = try TestHost(
            shell: "exec 2>'\(errors)'",
            environment: [
                "ASAN_OPTIONS": "detect_stack_use_after_return=0",
                "TSAN_OPTIONS": "suppressions=\(known)",
            ])
        try host.perform("writers register")
        defer {
            let said = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
            let lines = said.split(separator: "\n")
            let first = lines.firstIndex { line in Self.reports.contains { line.contains($0) } }
            #expect(first == nil, "\(lines[(first ?? 0)...].prefix(60).joined(separator: "\n"))")
        }
        try body(host)
    }

    @Test("what is written under its owner is read as it was at one moment")
    func owned() throws {
        try withHost { host in
            let values = try WrittenValues(of: host)
            try read(host, "start", Self.owned, seconds: Soak.isOn ? 600 : 4) { method, result in
                method == "show" ? values.wrong(result) : nil
            }
            // For each owner, and without one.
            let compared = values.compared.withLock { $0 }
            #expect(compared.count == WrittenValues.owners.count + 1, "\(compared)")
            print("writers compared:", compared)
        }
    }

    @Test("what is written without an owner is read without harm")
    func loose() throws {
        try withHost { host in
            try read(host, "loose", Self.loose, seconds: Soak.isOn ? 600 : 4) { _, _ in nil }
        }
    }
}
