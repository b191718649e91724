#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltalePicture
@testable import TelltaleProtocol
import Testing

/// `doctor` at the border of the process: pipes, children, locks of files, descriptors.
struct DoctorTests {
    /// A thread on a queue waits for a child that writes to a pipe which this process reads.
    private static func childWrites(_ change: (inout MadeProcess) -> Void = { _ in }) -> MadeProcess
    {
        var made = MadeProcess()
        made.thread(10, .idle, in: nil, isMain: true)
        made.thread(20, .event("wait4"), on: "jobs", in: "Tool.run()")
        made.call(20, "wait4", 812)
        made.items("jobs", "next()", "last()")
        made.border {
            $0.pipe(inode: 5, reading: 8, unread: 65_536)
            $0.child(812, "head", "write", 1, inode: 5, writes: true)
            $0.hasAllEnds = true
        }
        change(&made)
        return made
    }

    @Test("a child at a full pipe that only its waiting parent could read is a deadlock")
    func childAndParent() {
        let made = Self.childWrites()
        let answer = made.doctor
        #expect(answer.findings.first?.grade == .fault && answer.exitStatus == .stuck)
        let screen = made.doctorsScreen
        #expect(
            screen.contains(
                "DEADLOCK     with child 812 `head` (started 42 s ago): it has been writing to a full "
                    + "pipe (fd 8, 64 KiB) for at least 12 s, and thread 20 on jobs waits for it to "
                    + "exit instead of reading, in Tool.run() Photos.swift:20"), "\(screen)")
        #expect(screen.contains("behind it: 2 items"), "\(screen)")
        #expect(screen.contains("NEXT         stack 20"), "\(screen)")
        // OK lists nothing that has a finding.
        #expect(screen.contains("OK           locks, descriptors"), "\(screen)")
    }

    /// Something by which that is no deadlock.
    struct Escape: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let apply: @Sendable (inout MadeProcess) -> Void

        init(_ name: String, _ apply: @escaping @Sendable (inout MadeProcess) -> Void) {
            testDescription = name
            self.apply = apply
        }
    }

    private static let escapes = [
        Escape("an event loop watches the pipe") { $0.border { $0.watched = [8] } },
        Escape("an epoll's members were not all read") { $0.border { $0.mayWatchMore = true } },
        Escape("another thread sleeps, and may read later") {
            $0.thread(30, .sleeps, in: "drainNowAndThen()")
        },
        Escape("a timer may read it") { $0.timer(again: 60) },
        Escape("a thread polls it") { $0.border { $0.polled = [30: [8]] } },
        Escape("a thread reads it") {
            $0.thread(30, .event("read"), in: "drain()")
            $0.call(30, "read", 8)
        },
        Escape("another process could read it") {
            $0.border {
                $0.ends[.init(device: 1, inode: 5), default: []].append(
                    .init(pid: 900, program: "tee", descriptor: 0, reads: true, writes: false))
            }
        },
        Escape("not all processes were looked at") { $0.border { $0.hasAllEnds = false } },
        Escape("the child has run") { $0.earlierBorder { $0.children[0].switches = 6 } },
        Escape("bytes were taken") { $0.earlierBorder { $0.descriptors[0].unread = 61_440 } },
        Escape("the child is young") { $0.border { $0.children[0].age = 0.5 } },
        Escape("the process was stopped") {
            $0.now { $0.lostTime = .seconds(1) }
            $0.earlier { $0.lostTime = .zero }
        },
        Escape("it was watched for too short a time") { $0.window = 0.3 },
    ]

    @Test("it is none if anything could go on", arguments: escapes)
    func noDeadlock(_ escape: Escape) {
        let made = Self.childWrites(escape.apply)
        #expect(!made.doctor.isIll, "\(made.doctorsScreen)")
    }

    @Test("a pipe whose only writing end is this process's own has no end of file")
    func ownEnd() {
        var made = MadeProcess()
        made.thread(20, .event("read"), in: "readAll()")
        made.call(20, "read", 5)
        made.border {
            $0.pipe(inode: 4, reading: 5, writing: 6)
            $0.hasAllEnds = true
        }
        let screen = made.doctorsScreen
        #expect(
            screen.contains(
                "WAITS        thread 20 reads fd 5 (pipe, empty); its only writing end is fd 6 of this "
                    + "process, so its end of file can't come, for at least 12 s, in readAll() "
                    + "Photos.swift:20"), "\(screen)")
        #expect(!made.doctor.isIll)
        var strict = made.doctor
        strict.isStrict = true
        #expect(strict.isIll && strict.exitStatus == .stuck)
        // Another process may have one, if not all were looked at.
        made.border { $0.hasAllEnds = false }
        #expect(made.doctor.findings.isEmpty, "\(made.doctorsScreen)")
    }

    @Test("threads behind a sleeper, a writer and a lock of a file are named")
    func behind() {
        var made = MadeProcess()
        made.thread(20, .sleeps, in: "update()")
        made.call(20, "clock_nanosleep", 0)
        made.thread(21, .lock("rates", holder: 20), in: "read()")
        made.thread(30, .event("write"), on: "log", in: "flush()")
        made.call(30, "write", 1)
        made.items("log", "next()")
        made.border {
            $0.sleeps = [20: 100_000]
            $0.pipe(inode: 9, writing: 1, unread: 65_536)
            $0.ends[.init(device: 1, inode: 9)] = [
                .init(pid: 812, program: "less", descriptor: 0, reads: true, writes: false)
            ]
        }
        let screen = made.doctorsScreen
        #expect(
            screen.contains(
                "WAITS        thread 20 has slept for at least 12 s and sleeps for 1d3h more, in"),
            "\(screen)")
        #expect(
            screen.contains("thread 21, in read() Photos.swift:21 waits for lock 0x"), "\(screen)")
        #expect(
            screen.contains(
                "WAITS        thread 30 on log writes to fd 1 (pipe, full, 64 KiB); its only reading end "
                    + "is fd 0 of less (pid 812)"), "\(screen)")
    }

    @Test("a server that waits for its clients, and a sleeper that holds nothing, are healthy")
    func healthy() {
        var made = MadeProcess()
        made.thread(20, .event("recvfrom"), in: "serve()")
        made.call(20, "recvfrom", 5)
        made.thread(21, .sleeps, in: "tick()")
        made.call(21, "nanosleep", 0)
        made.thread(22, .event("wait4"), in: "monitor()")
        made.call(22, "wait4", 812)
        made.border {
            var socket = BorderFacts.Descriptor(
                number: 5, kind: "socket", name: "tcp 127.0.0.1:80 - 127.0.0.1:999",
                file: .init(device: 2, inode: 3))
            socket.state = "ESTABLISHED"
            $0.descriptors = [socket]
            $0.pipe(inode: 5, reading: 8)
            $0.child(812, "cat", "read", 0, inode: 5, writes: false)
            $0.limit = 1024
        }
        let screen = made.doctorsScreen
        #expect(screen.contains("HEALTHY      nothing is wrong"), "\(screen)")
        #expect(made.doctor.exitStatus == .done)
        #expect(screen.contains("1 child process, descriptors (2 of 1,024)"), "\(screen)")
    }

    @Test("a process of which not all could be captured isn't called healthy")
    func incomplete() {
        var made = MadeProcess()
        made.thread(10, .idle, in: nil, isMain: true)
        made.now { $0.lostTime = .seconds(1) }
        made.earlier { $0.lostTime = .zero }
        let screen = made.doctorsScreen
        #expect(
            screen.contains(
                "NOT KNOWN    not all could be captured (see the notes); nothing is wrong with the rest"
            ),
            "\(screen)")
        #expect(!screen.contains("HEALTHY") && made.doctor.exitStatus == .late)
    }

    @Test("descriptors at their limit are a fault, and near it a suspicion", arguments: [64, 60])
    func descriptors(_ open: Int) {
        var made = MadeProcess()
        made.thread(20, .runs, in: "accept()")
        made.border { border in
            border.limit = 64
            for number in 0..<open {
                var socket = BorderFacts.Descriptor(
                    number: Int32(number), kind: "socket", name: "",
                    file: .init(device: 2, inode: UInt64(number)))
                socket.state = "CLOSE_WAIT"
                border.descriptors.append(socket)
            }
            border.open = open
        }
        let screen = made.doctorsScreen
        #expect(
            screen.contains("DESCRIPTORS  \(open) of 64: \(open) sockets in CLOSE_WAIT"),
            "\(screen)")
        #expect(made.doctor.isIll == (open == 64))
        #expect(screen.contains("info --files"))
    }

    @Test("a thread that fails to accept uses a core for nothing")
    func busy() {
        var made = MadeProcess()
        made.thread(20, .runs, in: "Server.accept()")
        made.now {
            $0.threads[0].stack.insert(MadeProcess.frame("accept", nil), at: 0)
            $0.threads[0].processorTime = .seconds(2)
        }
        made.earlier { $0.threads[0].processorTime = .seconds(1) }
        made.border {
            $0.limit = 64
            $0.open = 64
        }
        let screen = made.doctorsScreen
        #expect(
            screen.contains(
                "BUSY         thread 20: 83% of a core; accept fails, since no descriptor is free "
                    + "(EMFILE), in Server.accept() Photos.swift:20"), "\(screen)")
        var well = made
        well.border { $0.open = 12 }
        #expect(!well.doctor.isIll, "\(well.doctorsScreen)")
    }

    @Test("a listening socket that nothing accepts from")
    func deaf() {
        func made(waiting: Int, _ change: @Sendable (inout BorderFacts) -> Void = { _ in })
            -> MadeProcess
        {
            var made = MadeProcess()
            made.thread(20, .sleeps, in: "run()")
            made.border { border in
                var listener = BorderFacts.Descriptor(
                    number: 7, kind: "socket", name: "tcp 0.0.0.0:8080 listens",
                    file: .init(device: 2, inode: 1))
                listener.backlog = .init(waiting: waiting, limit: 128)
                border.descriptors = [listener]
            }
            return made
        }
        #expect(made(waiting: 129).doctor.isIll)
        let some = made(waiting: 12)
        #expect(!some.doctor.isIll)
        #expect(
            some.doctorsScreen.contains(
                "DEAF         tcp 0.0.0.0:8080: 12 of 128 connections wait to be accepted, and no "
                    + "thread accepts them"), "\(some.doctorsScreen)")
        let none = made(waiting: 0)
        #expect(
            none.doctorsScreen.contains("listening on tcp 0.0.0.0:8080 (0 in backlog)"),
            "\(none.doctorsScreen)")
        var attended = made(waiting: 12)
        attended.border { $0.watched = [7] }
        #expect(attended.doctor.findings.isEmpty)
    }
}
#endif
