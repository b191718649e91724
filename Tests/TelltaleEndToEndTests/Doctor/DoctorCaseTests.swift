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

    @Test("each is named, with function and line", arguments: cases)
    func named(_ fault: Case) throws {
        let host = try ShapeHost(fault.testDescription)
        var text = ""
        // A case stands some time after its host is ready; what is young is no fault yet.
        try waitUntil("doctor names it:\n\(text)", seconds: 60) {
            let outcome = try host.telltale(["--timeout", "30s"], ["doctor"])
            text = outcome.text
            return outcome.status == fault.status && fault.isNamed(in: text)
        }
    }
}

extension DoctorCaseTests {
    @Test("an exit that nothing can end is stuck, for a probe too")
    func exiting() throws {
        let host = try ShapeHost("case-exit-handler-hangs")
        for command in ["stuck", "alive"] {
            var text = ""
            try waitUntil("\(command) finds it:\n\(text)", seconds: 60) {
                let outcome = try host.telltale([], [command])
                text = outcome.text
                return outcome.status == 7 && text.contains("flushForEver()")
            }
        }
    }
}

extension DoctorCaseTests {
    @Test(
        "a service that can't take a client any more is not alive, after a time",
        arguments: [
            ("case-out-of-descriptors", "no descriptor is free: 6[0-9] of 64 are open"),
            (
                "case-listener-without-thread",
                "tcp 127.*: 129 of 128 connections wait to be accepted"
            ),
        ])
    func probe(name: String, words: String) throws {
        let host = try ShapeHost(name, environment: ["TELLTALE_HISTORY": "200"])
        #expect(try host.telltale([], ["alive", "--after", "10m"]).status == 0)
        try waitUntil("alive finds \(name)", seconds: 60) {
            let outcome = try host.telltale([], ["alive", "--after", "2s"])
            return outcome.status == 7
                && outcome.text.range(of: "^STUCK .*: \(words)", options: .regularExpression) != nil
        }
    }

    @Test(
        "a dump begins with it",
        arguments: [
            (
                "case-out-of-descriptors",
                #"  DESCRIPTORS  \d+ of 64: \d+ sockets in CLOSE_WAIT, held by ClientSession"#
            ),
            (
                "case-child-and-parent-wait-for-each-other",
                #"  (DEADLOCK|WAITS) .*child \d+ `head`.*full pipe.*runToolToItsEnd\(\)"#
            ),
        ])
    func dump(_ name: String, _ pattern: String) throws {
        let host = try ShapeHost(name)
        var text = ""
        try waitUntil("the dump begins with it:\n\(text)", seconds: 60) {
            text = try host.telltale(["--timeout", "30s"], ["dump"]).text
            let head = text.range(of: " CAPTURED ").map { text[..<$0.lowerBound] } ?? ""
            return head.range(of: pattern, options: .regularExpression) != nil
        }
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
