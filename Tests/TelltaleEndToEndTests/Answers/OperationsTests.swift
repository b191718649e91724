import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// `operations` and `cancel operation` on running services.
@Suite(.timeLimit(.minutes(2)))
struct OperationsTests {
    @Test("an operation whose dependency was never queued is named with it, and can be cancelled")
    func dependency() throws {
        let service = try PhotoService(photos: 2, fault: "operation-dependency")
        let shown = try service.shell("telltale photo-manager operations")
        #expect(shown.text.contains("operation queue com.telltale.thumbnails  1 operation"))
        #expect(
            shown.lines.contains {
                $0.contains("shrink overly-attached-girlfriend.jpg") && $0.contains("waiting")
                    && $0.contains(
                        "decode overly-attached-girlfriend.jpg (in no observed queue)")
            }, "\(shown.text)")
        let dump = try service.shell("telltale photo-manager dump").text
        #expect(dump.contains("OPERATIONS 1: 1 waiting, in 2 queues"))
        let wrong = try service.shell("telltale photo-manager cancel operation shrink")
        #expect(wrong.status == 3 || wrong.status == 1)
        #expect(wrong.text.contains("there is no operation `shrink`"))
        let cancelled = try service.shell(
            "telltale photo-manager cancel operation 'shrink overly-attached-girlfriend.jpg'")
        #expect(cancelled.status == 0, "\(cancelled.text)")
        try service.waitFor("all thumbnails are published")
        let changes = try service.shell("telltale photo-manager changes").text
        #expect(changes.contains("cancel operation shrink overly-attached-girlfriend.jpg"))
    }

    @Test("a read-only agent cancels nothing")
    func readOnly() throws {
        let service = try PhotoService(
            photos: 1, environment: ["TELLTALE_MODE": "read-only"], fault: "operation-dependency")
        let refused = try service.shell(
            "telltale photo-manager cancel operation 'shrink overly-attached-girlfriend.jpg'")
        #expect(refused.status == 4, "\(refused.text)")
    }

    @Test("operations are shown while main is blocked for good")
    func mainIsBlocked() throws {
        let service = try PhotoService(photos: 1, fault: "main-waits")
        // The quickest of five; one that waited for main would take 4 s.
        var times: [Duration] = []
        repeat {
            let began = MonotonicTime.now
            let shown = try service.shell("telltale photo-manager operations")
            times.append(MonotonicTime.now.since(began))
            #expect(shown.status == 0)
            #expect(shown.text.contains("com.telltale.thumbnails"))
            for cut in ["did not answer in time", "could not be looked at in time"] {
                #expect(!shown.text.contains(cut), "\(shown.text)")
            }
        } while times.count < 5 && !times.contains { $0 < .seconds(1) }
        #expect(times.contains { $0 < .seconds(1) }, "\(times)")
    }

    @Test("a queue whose operation's own code hangs is said, and the others are shown")
    func hangingQueue() throws {
        let host = try TestHost(environment: ["TELLTALE_OWNER_DEADLINE": "2000"])
        #expect(try host.perform("operations") == "observed")
        for _ in 0..<4 {
            let shown = try host.telltale(["\(host.pid)", "operations"])
            #expect(shown.output.contains("test.well  2 operations"), "\(shown.output)")
            #expect(shown.output.contains("1 operation queue did not answer in time"))
        }
        // Two workers hang with it, and no more, however often it is asked.
        var info = ""
        try waitUntil("two workers are busy in \(info)") {
            info = try host.telltale(["\(host.pid)", "info"]).output
            return info.contains(", 2 busy")
        }
    }

    @Test("a queue with more operations than are shown says how many more it has")
    func manyOperations() throws {
        let host = try TestHost()
        #expect(try host.perform("operations more") == "observed")
        let shown = try host.telltale(["\(host.pid)", "operations"])
        #expect(shown.output.contains("test.well  300 operations"), "\(shown.output)")
        #expect(shown.output.contains("… 100 more"))
        #expect(shown.output.contains("Hanging"))
    }

    @Test("the main thread's run loop is shown, waiting and busy")
    func runLoop() throws {
        let host = try TestHost(["run-loop"])
        var shown = ""
        func isShown(_ texts: String...) throws -> Bool {
            shown = try host.telltale(["\(host.pid)", "operations"]).output
            return texts.allSatisfy(shown.contains)
        }
        try waitUntil("main's run loop waits in \(shown)") {
            try isShown(
                "run loop of the main thread  waits for something to do", "every 1h")
        }
        #expect(try host.perform("wedge main-loop") == "wedged")
        try waitUntil("main's run loop is busy in \(shown)") {
            try isShown("run loop of the main thread  busy")
        }
    }

    @Test("a main thread without a run loop is not given one")
    func noRunLoop() throws {
        let host = try TestHost()
        // The agent's descriptors for its calibration are closed by then.
        try host.waitUntilLearnt()
        let files = ProcessFiles(pid: host.pid)
        var before = -1
        try waitUntil("its descriptors are the same for 100 ms") {
            before = files.descriptorCount ?? -1
            usleep(100_000)
            return files.descriptorCount == before
        }
        let shown = try host.telltale(["\(host.pid)", "operations"])
        #expect(!shown.output.contains("run loop"), "\(shown.output)")
        #expect(shown.output.contains("Telltale.observe(operationQueue)"), "\(shown.output)")
        try waitUntil("it has \(before) descriptors as before") {
            files.descriptorCount == before
        }
    }
}
