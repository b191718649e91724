import Foundation
import TelltaleTestSupport
import Testing

/// `doctor` on faults that services in production had: each is named by it alone.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct DoctorCaseTests {
    /// A staged fault, and what must be said of it.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The exit status: 7 for a fault.
        let status: Int32
        /// Patterns that lines of the answer match, each one.
        let lines: [String]

        init(_ name: String, _ status: Int32, _ lines: String...) {
            testDescription = name
            self.status = status
            self.lines = lines
        }
    }

    private static let cases = [
        Case(
            "case-child-and-parent-wait-for-each-other", 7,
            #"^DEADLOCK .*child \d+ `head`.*full pipe \(fd \d+, 64 KiB\).*case\.jobs waits for it to exit"#
                + #".*runToolToItsEnd\(\) BorderCases\.swift:\d+"#, "behind it: 2 items"),
        Case(
            "case-child-waited-for-by-waitpid", 7,
            #"^DEADLOCK .*child \d+ `head`.*spawnAndWait\(\) BorderCases\.swift:\d+"#,
            "behind it: 2 items"),
        Case(
            "case-end-of-file-never-comes", 0,
            #"^WAITS .*reads fd \d+ \(pipe, empty\); its only writing end is fd \d+ of this process, so "#
                + #"its end of file can't come.*readAllOfEcho\(\) BorderCases\.swift:\d+"#),
        Case(
            "case-reader-of-log-has-stopped", 0,
            #"^WAITS .*writes to fd 1 \(pipe, full, 64 KiB\); its only reading end is fd 0 of sleep \(pid "#
                + #"\d+\).*printVerbosely\(\) BorderCases\.swift:\d+"#, "behind it: 4 threads",
            #"^WAITS +thread \d+ `verbose` "#,
            #"4 threads, .*printOnce\(\) BorderCases\.swift:\d+ wait for lock of stdout 0x[0-9a-f]+, held"#
        ),
        Case(
            "case-out-of-descriptors", 7,
            #"^DESCRIPTORS .* of 64: \d+ sockets in CLOSE_WAIT, held by ClientSession"#,
            #"^BUSY .*accept fails, .*\(EMFILE\).*acceptForEver\(_:\) BorderCases\.swift:\d+"#),
        Case("case-exit-handler-hangs", 7, #"^EXITING .*exit\(\)"#),
        Case(
            "case-children-not-waited-for", 0,
            #"^ZOMBIES +12 children have ended and weren't waited for: \d+ `true`"#),
        Case(
            "case-file-locked-by-oneself", 0,
            #"^WAITS .*waits for the lock of /.*telltale-case.*held by fd \d+ of this process"#,
            "behind it: 2 items"),
        Case(
            "case-own-peer-behind-oneself", 0,
            #"^WAITS .*reads fd \d+ \(unix.*\); its other end is fd \d+ of this process.*askOneself\(_:\)"#,
            "behind it: 1 item"),
        Case(
            "case-database-has-stopped", 0,
            #"^WAITS .*reads fd \d+ \(tcp 127.*\); its other end is fd \d+ of sleep \(pid \d+\).*askDatabase"#,
            "behind it: 1 item"),
        Case(
            "case-lazy-globals-in-circle", 7,
            #"^DEADLOCK .*(Left|Right)Half\.value -> (Left|Right)Half\.value -> (Left|Right)Half\.value"#,
            #"makeLeft\(\) WaitCases\.swift:\d+"#, #"makeRight\(\) WaitCases\.swift:\d+"#),
        Case(
            "case-pool-of-permits", 7, #"^STUCK .*PermitPool: 4 tasks"#,
            #"PermitPool\.take\(\) WaitCases\.swift:\d+"#,
            #"2 of them called by .*appendToAudit\(_:\) .*writeAudit\(_:\) .*: past .*writeAudit.*2 others"#
        ),
        Case(
            "case-log-waits-for-pool-that-waits-for-log", 7,
            #"^DEADLOCK +case\.log -> semaphore 0x[0-9a-f]+ -> task #\d+ -> .*concurrent queue -> .*case\.log"#,
            #"flushByTask\(\) WaitCases\.swift:\d+"#, #"logFromTask\(_:\) WaitCases\.swift:\d+"#),
        Case(
            "case-read-lock-behind-waiting-writer", 7,
            #"^DEADLOCK .*for reading since .*describeRoutes.*wants it again in .*countRoutes\(_:\) "#
                + #"WaitCases\.swift:\d+, behind thread \d+"#),
        Case(
            "case-head-polls", 0,
            #"^LATE +queue case\.mounts: 50 items wait .*run for at least 1\d\.\d s, .*sleeps of 10 ms.*"#
                + #"waitUntilMounted\(\)"#),
        Case(
            "case-head-asks-with-poll", 0,
            #"^LATE +queue case\.mounts: 50 items wait .*asks again and again with sleeps of 10 ms.*"#
                + #"askMountByPoll\(\)"#),
        Case(
            "case-head-sleeps-in-poll", 0,
            #"^LATE +queue case\.mounts: 50 items wait .*asks again and again with (sleeps of 10 ms|short "#
                + #"sleeps).*sleepInPoll\(\)"#),
        Case(
            "case-more-promises-than-looked-at", 0,
            #"^PENDING +4,096 promises made in WaitCases\.swift:\d+"#,
            #"note: only 4,096 promises of event loop .* were looked at"#),
        Case(
            "case-asleep-with-a-lock", 0,
            #"^WAITS .*has slept for at least .* and sleeps for 1d3h more, in .*updateRates"#,
            #"^WAITS +thread \d+ `updater` "#,
            #"3 threads, .*readRates\(_:\) WaitCases\.swift:\d+ wait for lock 0x[0-9a-f]+, held by it"#
        ),
        Case(
            "case-stream-nobody-feeds", 7,
            #"^STUCK +5 tasks.* wait for the next element of an AsyncStream, which nothing sends"#,
            #"followEvents\(\) WaitCases\.swift:\d+"#),
        Case(
            "case-permits-not-given-back", 0, #"^WAITS +5 tasks.*PermitPool\.take\(\)"#),
        Case(
            "case-handler-computes", 0,
            #"^LATE +event loop .*: \d+ descriptors? .*behind a handler .* WaitCases\.swift:\d+"#),
        Case(
            "case-pool-of-package-exhausted", 0,
            #"^LATE +NIOThreadPool: 6 items wait, and none of its threads has become free"#,
            #"2 threads, one is \d+, in .*readTape\(_:\) WaitCases\.swift:\d+"#),
        Case(
            "case-promises-not-completed", 0,
            #"^PENDING +6 promises made in WaitCases\.swift:\d+, and none was completed"#),
        Case(
            "case-cancelled-sleeps", 0,
            #"^GROWS +delayed items of Task\.sleep calls that were cancelled \+[\d,]+/min"#),
        Case(
            "case-knot-of-leases", 7, #"^STUCK +LeaseBook: 4 tasks"#,
            #"2 of them called by .*extendLease\(_:\) .*renewLease\(_:\) .*: past "#),
        Case("case-knot-of-credits", 7, #"^STUCK .*CreditWindow"#, #"waitForCredit\(\)"#),
        Case("case-knot-of-readers", 7, #"^STUCK +3 tasks.*AsyncStream"#),
        Case("case-scope-waits-for-child", 7, #"^STUCK +LeaseBook: "#, #"LeaseBook\.lease\(\)"#),
        Case(
            "case-shutdown-waits", 0,
            #"^WAITS +1 task waits, in ServerThatStops\.shutdown\(\) KnotCases\.swift:\d+, "#),
        Case(
            "case-queue-gains-items", 0,
            #"^GROWS +items waiting on queue case\.thumbnails \+[\d,]+/min \([\d,]+ now\); thread \d+ "#
                + #"works on it, in .*makeThumbnail\(\)"#, #"^NEXT .*queue case\.thumbnails"#),
    ]

    /// Cases that keep a core busy, or whose growth needs one: each has the machine for itself.
    private static let busy: Set = [
        "case-out-of-descriptors", "case-lazy-globals-in-circle", "case-handler-computes",
        "case-cancelled-sleeps",
    ]

    /// The complaint about each case, `nil` if it was named: all are asked once, several at a time, before the
    /// first is judged.
    private static let complaints: [String: String?] = {
        func ask(_ cases: [Case], atOnce count: Int) -> [(String, String?)] {
            sideBySide(cases, atOnce: count) { ($0.testDescription, complaint(about: $0)) }
        }
        // The head of the line polls for 10 s before it is late.
        let quiet = cases.filter { !busy.contains($0.testDescription) }
            .sorted {
                $0.testDescription == "case-head-polls" && $1.testDescription != "case-head-polls"
            }
        let loud = cases.filter { busy.contains($0.testDescription) }
        let found = ask(quiet, atOnce: 7) + ask(loud, atOnce: 1)
        return Dictionary(found) { first, _ in first }
    }()

    private static func complaint(about fault: Case) -> String? {
        var text = ""
        do {
            let host = try ShapeHost(fault.testDescription)
            // A case stands some time after its host is ready; what is young is no fault yet.
            try waitUntil("doctor names it", seconds: 60) {
                let outcome = try host.telltale(["--timeout", "30s"], ["doctor"])
                text = outcome.text
                return outcome.status == fault.status && fault.isNamed(in: text)
            }
            for (command, pattern) in others[fault.testDescription] ?? [] {
                try waitUntil("\(command) names it", seconds: 60) {
                    let outcome = try host.telltale(["--timeout", "30s"], [command])
                    text = outcome.text
                    guard command == "dump" else {
                        return outcome.status == 7 && text.contains(pattern)
                    }
                    let head = text.range(of: " CAPTURED ").map { text[..<$0.lowerBound] } ?? ""
                    return head.range(of: pattern, options: .regularExpression) != nil
                }
            }
            return nil
        } catch {
            return "\(error):\n\(text)"
        }
    }

    /// Further questions about a case. A dump begins with what `doctor` says; an exit that nothing can end is stuck,
    /// for a probe too.
    private static let others: [String: [(command: String, pattern: String)]] = [
        "case-exit-handler-hangs": [("stuck", "flushForEver()"), ("alive", "flushForEver()")],
        "case-out-of-descriptors": [
            (
                "dump",
                #"  DESCRIPTORS  \d+ of 64: \d+ sockets in CLOSE_WAIT, held by ClientSession"#
            )
        ],
        "case-child-and-parent-wait-for-each-other": [
            (
                "dump",
                #"  (DEADLOCK|WAITS) .*child \d+ `head`.*full pipe.*runToolToItsEnd\(\)"#
            )
        ],
    ]

    @Test("each is named, with function and line", arguments: cases)
    func named(_ fault: Case) throws {
        let complaint = try #require(Self.complaints[fault.testDescription])
        #expect(complaint == nil, "\(complaint ?? "")")
    }
}

extension DoctorCaseTests {
    private struct Probe {
        var name: String
        var words: String
    }

    @Test("a service that can't take a client any more is not alive, after a time")
    func probe() {
        let probes = [
            Probe(
                name: "case-out-of-descriptors",
                words: "no descriptor is free: 6[0-9] of 64 are open"),
            Probe(
                name: "case-listener-without-thread",
                words: "tcp 127.*: 129 of 128 connections wait to be accepted"),
        ]
        let complaints = complaintsSideBySide(of: probes, atOnce: 2) { probe in
            let host = try ShapeHost(probe.name, environment: ["TELLTALE_HISTORY": "200"])
            // 5 if a busy machine leaves no time for all captures: it is asked again.
            var early = try host.telltale([], ["alive", "--after", "10m"])
            try waitUntil("alive has had time for all", seconds: 60) {
                if early.status == 5 { early = try host.telltale([], ["alive", "--after", "10m"]) }
                return early.status != 5
            }
            try waitUntil("alive finds \(probe.name)", seconds: 60) {
                let outcome = try host.telltale([], ["alive", "--after", "2s"])
                let pattern = "^STUCK .*: \(probe.words)"
                return outcome.status == 7
                    && outcome.text.range(of: pattern, options: .regularExpression) != nil
            }
            return early.status == 0 ? [] : ["early: \(early.text)"]
        }
        #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
    }
}

extension DoctorCaseTests.Case {
    fileprivate func isNamed(in text: String) -> Bool {
        let said = text.split(separator: "\n").map(String.init)
        return lines.allSatisfy { pattern in
            said.contains { $0.range(of: pattern, options: .regularExpression) != nil }
        }
    }
}
