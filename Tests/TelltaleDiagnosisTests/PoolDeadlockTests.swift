#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltalePicture
import TelltaleProtocol
import Testing

/// Cycles through the line of a pool with a fixed number of threads.
struct PoolDeadlockTests {
    private static let pool = "Swift global concurrent queue"

    /// A log's queue waits for a task, which waits for a thread of the pool; each of them waits for the log.
    private static func made(_ change: (inout MadeProcess) -> Void = { _ in }) -> MadeProcess {
        var made = MadeProcess()
        made.swiftPool(threads: 2)
        made.thread(11, .sync("log"), on: pool, in: "logFromTask()", line: 7)
        made.thread(12, .sync("log"), on: pool, in: "logFromTask()", line: 7)
        made.thread(13, .semaphore("done"), on: "log", in: "flush()", line: 3)
        made.task("signal", .pool, in: "sendSignal()")
        made.holders(.semaphore(made.at("done")), .task(made.at("task signal")))
        change(&made)
        return made
    }

    @Test("all threads of a pool that wait for work in its own line are one deadlock")
    func deadlock() {
        let made = Self.made()
        let answer = made.answer
        #expect(answer.verdict == .deadlock && answer.findings.count == 1, "\(made.screen)")
        let names = made.screen.split(separator: "\n").first ?? ""
        #expect(names.contains("log -> semaphore 0x"), "\(made.screen)")
        #expect(names.contains(" -> task #1 signal -> \(Self.pool) -> "), "\(made.screen)")
        #expect(made.screen.contains("2 threads, one is 1"), "\(made.screen)")
        #expect(made.screen.contains("waits for a thread of \(Self.pool)"), "\(made.screen)")
        #expect(!made.isHealthyAtOnce)
    }

    @Test(
        "a semaphore that something else may signal, or whose retainers aren't all known, is in no cycle"
    )
    func otherSignaller() {
        for root in [Holders.Root.source(0x77, watches: "fd 3"), .global(0x78, name: "x")] {
            let made = Self.made { made in
                made.holders(.semaphore(made.at("done")), .task(made.at("task signal")), root)
            }
            #expect(!made.hasDeadlock, "\(made.screen)")
        }
        let cut = Self.made { made in
            made.holders(
                .semaphore(made.at("done")), .task(made.at("task signal")), isWhole: false)
        }
        #expect(!cut.hasDeadlock, "\(cut.screen)")
    }

    @Test("a pool with a thread that runs, or one that it may yet add, is in no cycle")
    func freeThread() {
        let runs = Self.made { made in
            made.swiftPool(threads: 3)
            made.thread(14, .runs, on: Self.pool, in: "compute()", unmovedFor: nil)
        }
        #expect(!runs.answer.isStuck, "\(runs.screen)")
        let small = Self.made { $0.swiftPool(threads: 3) }
        #expect(!small.hasDeadlock, "\(small.screen)")
    }

    @Test("a thread of the pool that waits for something else is a way out")
    func wayOut() {
        let made = Self.made { made in
            made.now { picture in
                for index in picture.threads.indices where picture.threads[index].id == 12 {
                    picture.threads[index].wait = .event("read")
                }
            }
            made.queue("log") { queue in queue.items.removeAll { $0.waiter == 12 } }
        }
        #expect(!made.hasDeadlock, "\(made.screen)")
    }
}

extension MadeProcess {
    fileprivate var hasDeadlock: Bool { answer.findings.contains { $0.isDeadlock } }
}
#endif
