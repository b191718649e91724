#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltalePicture
import TelltaleProtocol
import Testing

/// Tasks that wait at one place, and event loops behind a handler that computes.
struct DoctorCrowdTests {
    private static func requests(
        _ count: Int = 5, in function: String = "PermitPool.take()",
        calling machinery: String? = nil
    ) -> MadeProcess {
        var made = MadeProcess()
        for number in 0..<count {
            made.task("request \(number)", .continuation, in: function, calling: machinery)
        }
        return made
    }

    @Test("requests of which none gets a permit are named by their place")
    func crowd() {
        let made = Self.requests(calling: "leaseConnection()")
        let screen = made.doctorsScreen
        #expect(
            screen.contains(
                "WAITS        5 tasks wait, in PermitPool.take() Photos.swift:30 (in NIOCore "
                    + "leaseConnection()), and none has gone on for at least 1.2 s"), "\(screen)")
        #expect(made.doctor.next == ["tasks"])
        #expect(!made.doctor.isIll && !screen.contains("OK           locks, tasks"), "\(screen)")
    }

    @Test("two of them, streams' readers and those that wait until they are cancelled are none")
    func none() {
        let two = Self.requests(2)
        #expect(two.doctor.findings.map(\.grade) == [.notice], "\(two.doctorsScreen)")
        for made in [
            Self.requests(calling: "next(isolation:)"),
            Self.requests(in: "Feed.Iterator.next()"),
            Self.requests(calling: "gracefulShutdown()"),
            Self.requests(calling: "cancelWhenGracefulShutdown(_:)"),
        ] {
            #expect(made.doctor.findings.isEmpty, "\(made.doctorsScreen)")
        }
    }

    @Test("tasks of which one has gone on make progress")
    func moving() {
        var made = Self.requests()
        made.now { $0.movedTasks = [$0.tasks[4].address] }
        #expect(made.doctor.findings.isEmpty, "\(made.doctorsScreen)")
        var ended = Self.requests()
        ended.earlier { picture in
            var task = picture.tasks[0]
            task.address = 0xE000
            picture.tasks.append(task)
        }
        #expect(ended.doctor.findings.isEmpty, "\(ended.doctorsScreen)")
    }

    /// A loop whose thread runs in a handler while clients wait.
    private static func computing(_ change: (inout MadeProcess) -> Void = { _ in }) -> MadeProcess {
        var made = MadeProcess()
        made.loop("Server.run()", threads: 12)
        made.thread(12, .runs, in: "countForEver()", unmovedFor: nil)
        made.border { $0.uses = [12: .init(transfers: 77, seconds: 0.5)] }
        change(&made)
        return made
    }

    @Test("descriptors behind a handler that computes are late, and the function is named")
    func lateLoop() {
        let screen = Self.computing().doctorsScreen
        #expect(
            screen.contains(
                "LATE         event loop Server.run(): 2 descriptors and tasks wait behind a handler that "
                    + "has run for at least 1.2 s, on thread 12, in countForEver() Photos.swift:12"),
            "\(screen)")
    }

    /// A pool of two threads, both blocked, with items in line.
    private static func pool(_ waiting: Int, before: Int) -> MadeProcess {
        var made = MadeProcess()
        for id in [21, 22] as [Int32] {
            made.thread(id, .semaphore("tape"), in: "readTape()", line: 9)
        }
        let pool = PackagePool(
            address: 0x9000, name: "NIOThreadPool", threads: [21, 22], waiting: waiting)
        made.now { $0.packagePools = [pool] }
        made.earlier { $0.packagePools[0].waiting = before }
        return made
    }

    @Test("items of a package's pool without a free thread are late")
    func latePool() {
        let screen = Self.pool(6, before: 4).doctorsScreen
        #expect(
            screen.contains(
                "LATE         NIOThreadPool: 6 items wait, and none of its threads has become free for at "
                    + "least 12 s"), "\(screen)")
        #expect(screen.contains("2 threads, one is 21, in readTape() Photos.swift:9"), "\(screen)")
        for made in [Self.pool(0, before: 3), Self.pool(3, before: 0)] {
            #expect(!made.doctorsScreen.contains("LATE"), "\(made.doctorsScreen)")
        }
    }

    @Test("promises of which none was completed are a notice with their place")
    func promises() {
        var made = MadeProcess()
        made.loop("NIO-ELT-0-#1", waiting: 12)
        made.thread(12, .eventLoop, in: nil)
        made.now { picture in
            picture.eventLoops[0].promises =
                (1...6).map { .init(id: $0, place: "Server.swift:36") }
                + [.init(id: 9, place: "Server.swift:50")]
        }
        made.earlier { $0.eventLoops[0].promises.append(.init(id: 10, place: "Server.swift:50")) }
        let screen = made.doctorsScreen
        #expect(
            screen.contains(
                "PENDING      6 promises made in Server.swift:36, and none was completed for at least "
                    + "1.2 s"), "\(screen)")
        // One of the others, at another place, was completed.
        #expect(!screen.contains("Server.swift:50") && screen.contains("HEALTHY"), "\(screen)")
    }

    @Test("a loop that has read meanwhile turns, and one of which that isn't known isn't judged")
    func turning() {
        for made in [
            Self.computing {
                $0.earlierBorder { $0.uses = [12: .init(transfers: 70, seconds: 0.5)] }
            },
            Self.computing { $0.border { $0.uses = [:] } },
            Self.computing { $0.window = 0.3 },
        ] {
            #expect(!made.doctorsScreen.contains("LATE"), "\(made.doctorsScreen)")
        }
    }

    @Test("a loop whose thread is not in the kernel doesn't return at once")
    func reason() {
        func use(_ made: inout MadeProcess) {
            made.now { $0.threads[0].processorTime = .seconds(2) }
            made.earlier { $0.threads[0].processorTime = .seconds(1) }
            made.border {
                var socket = BorderFacts.Descriptor(
                    number: 8, kind: "socket", name: "tcp 127.0.0.1:80 - 127.0.0.1:999",
                    file: .init(device: 2, inode: 3))
                socket.state = "ESTABLISHED"
                $0.descriptors = [socket]
            }
        }
        var handler = Self.computing(use)
        #expect(!handler.doctorsScreen.contains("returns at once"), "\(handler.doctorsScreen)")
        handler.earlierBorder { $0.uses[12]?.seconds = 0.2 }
        #expect(handler.doctorsScreen.contains("returns at once"), "\(handler.doctorsScreen)")
    }
}
#endif
