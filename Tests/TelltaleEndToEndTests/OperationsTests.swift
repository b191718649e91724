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
        #expect(dump.contains("OPERATIONS 1: 1 waiting, in 1 queue"))
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
        let began = MonotonicTime.now
        let shown = try service.shell("telltale photo-manager operations")
        #expect(shown.status == 0)
        #expect(shown.text.contains("com.telltale.thumbnails"))
        #expect(MonotonicTime.now.since(began) < .seconds(1))
    }

    @Test("a queue whose operation's own code hangs is said, and the others are shown")
    func hangingQueue() throws {
        let host = try TestHost()
        #expect(try host.perform("operations") == "observed")
        for _ in 0..<4 {
            let shown = try host.telltale(["\(host.pid)", "operations"])
            #expect(shown.output.contains("test.well  2 operations"), "\(shown.output)")
            #expect(shown.output.contains("1 operation queue did not answer in time"))
        }
        // Two workers hang with it, and no more, however often it is asked.
        let info = try host.telltale(["\(host.pid)", "info"])
        #expect(info.output.contains(", 2 busy"), "\(info.output)")
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
        let shown = try host.telltale(["\(host.pid)", "operations"])
        #expect(
            shown.output.contains("run loop of the main thread  waits for something to do"),
            "\(shown.output)")
        #expect(shown.output.contains("every 3600 s"), "\(shown.output)")
        #expect(try host.perform("wedge main-loop") == "wedged")
        let busy = try host.telltale(["\(host.pid)", "operations"])
        #expect(busy.output.contains("run loop of the main thread  busy"), "\(busy.output)")
    }

    @Test("a main thread without a run loop is not given one")
    func noRunLoop() throws {
        let host = try TestHost()
        let files = "ls /proc/$PID/fd | wc -l"
        let before = try host.shell(files).output
        let shown = try host.telltale(["\(host.pid)", "operations"])
        #expect(!shown.output.contains("run loop"), "\(shown.output)")
        #expect(shown.output.contains("Telltale.observe(operationQueue)"), "\(shown.output)")
        #expect(try host.shell(files).output == before)
    }
}
