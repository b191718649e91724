import Dispatch
import Foundation

extension Shape {
    /// Faults at the border of the process: pipes, children, descriptors, files.
    static let borderCases = [
        // The child writes more than a pipe takes, and is read only after its end.
        Shape("case-child-and-parent-wait-for-each-other") {
            let jobs = DispatchQueue(label: "case.jobs")
            onQueue(jobs) { BorderCases.runToolToItsEnd() }
            standInLine(jobs, 2)
            settle()
        },
        // The same with the system's own calls.
        Shape("case-child-waited-for-by-waitpid") {
            let jobs = DispatchQueue(label: "case.jobs")
            onQueue(jobs) { BorderCases.spawnAndWait() }
            standInLine(jobs, 2)
            settle()
        },
        // Its own writing end was never closed.
        Shape("case-end-of-file-never-comes") {
            onThread { BorderCases.readAllOfEcho() }
            settle()
        },
        // A reader that has stopped, and everything that is printed goes through it.
        Shape("case-reader-of-log-has-stopped") {
            onThread {
                // The test has read that the case stands by then.
                Thread.sleep(forTimeInterval: 0.5)
                BorderCases.redirectOutput()
                onThread { BorderCases.printVerbosely() }
                Thread.sleep(forTimeInterval: 0.5)
                for _ in 0..<4 { onThread { BorderCases.printOnce() } }
            }
        },
        // Clients that have left stay in a list, until none can be accepted.
        // `dispatchMain` needs descriptors of its own, and traps without.
        Shape("case-out-of-descriptors", main: { while true { sleep(1000) } }) {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = 64
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            LeakyServer.serve()
        },
        // A handler of `exit` waits for what only a thread that has ended could do.
        Shape("case-exit-handler-hangs") {
            onThread {
                Thread.sleep(forTimeInterval: 0.5)
                atexit { BorderCases.flushForEver() }
                exit(0)
            }
        },
        // Children that were spawned and never waited for.
        Shape("case-children-not-waited-for") {
            for _ in 0..<12 { _ = BorderCases.spawn("/bin/true", ["true"]) }
            settle()
        },
        // The lock file is held by another descriptor of the same process.
        Shape("case-file-locked-by-oneself") {
            let path = NSTemporaryDirectory() + "telltale-case-\(getpid()).lock"
            let first = open(path, O_CREAT | O_RDWR, 0o600)
            flock(first, LOCK_EX)
            let second = open(path, O_RDWR)
            let storing = DispatchQueue(label: "case.storing")
            onQueue(storing) { BorderCases.lockAgain(second) }
            standInLine(storing, 2)
            settle()
        },
        // A connection whose other end, in the same process, is answered on the very queue.
        // A database has taken the connection, and does not answer.
        Shape("case-database-has-stopped") {
            let client = BorderCases.connectToStoppedDatabase()
            let store = DispatchQueue(label: "case.store")
            onQueue(store) { BorderCases.askDatabase(client) }
            standInLine(store, 1)
            settle()
        },
        // Its standard input comes from a process that the test chooses.
        Shape("case-input-from-outside") {
            let orders = DispatchQueue(label: "case.orders")
            onQueue(orders) { BorderCases.readOrder() }
            standInLine(orders, 1)
            settle()
        },
        Shape("case-own-peer-behind-oneself") {
            var ends: [Int32] = [0, 0]
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
            let (client, server) = (ends[0], ends[1])
            let work = DispatchQueue(label: "case.work")
            onQueue(work) { BorderCases.askOneself(client) }
            work.async { write(server, "a", 1) }
            settle()
        },
    ]
}

enum BorderCases {
    static func runToolToItsEnd() {
        let tool = Process()
        tool.executableURL = URL(fileURLWithPath: "/usr/bin/head")
        tool.arguments = ["-c", "200000", "/dev/zero"]
        let output = Pipe()
        tool.standardOutput = output
        try? tool.run()
        tool.waitUntilExit()
        _ = output.fileHandleForReading.readDataToEndOfFile()
    }

    static func spawnAndWait() {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        let child = spawn("/usr/bin/head", ["head", "-c", "200000", "/dev/zero"], output: ends[1])
        close(ends[1])
        var status: Int32 = 0
        waitpid(child, &status, 0)
        close(ends[0])
    }

    static func readAllOfEcho() {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        let child = spawn("/bin/echo", ["echo", "hi"], output: ends[1])
        var status: Int32 = 0
        waitpid(child, &status, 0)
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(ends[0], &bytes, bytes.count) > 0 {}
    }

    static func readOrder() {
        var byte: UInt8 = 0
        read(0, &byte, 1)
    }

    static func redirectOutput() {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        _ = spawn("/bin/sleep", ["sleep", "120"], input: ends[0])
        close(ends[0])
        dup2(ends[1], 1)
        close(ends[1])
    }

    static func printVerbosely() {
        nameThread("verbose")
        while true { print("a line of the log, which is as long as such lines are") }
    }

    /// Names the calling thread. `Thread.name` is lost if the thread runs before its maker has noted it.
    static func nameThread(_ name: String) {
        try? name.write(toFile: "/proc/thread-self/comm", atomically: false, encoding: .utf8)
    }

    static func printOnce() { print("once") }

    static func flushForEver() { DispatchSemaphore(value: 0).wait() }

    static func lockAgain(_ descriptor: Int32) { flock(descriptor, LOCK_EX) }

    /// The connection's other end is only in a child.
    static func connectToStoppedDatabase() -> Int32 {
        let listener = Loopback.listener()
        let client = Loopback.connection(to: listener)
        let accepted = accept(listener, nil, nil)
        _ = spawn("/bin/sleep", ["sleep", "120"], input: accepted)
        close(accepted)
        close(listener)
        return client
    }

    static func askDatabase(_ client: Int32) {
        var byte: UInt8 = 0
        _ = recv(client, &byte, 1, 0)
    }

    static func askOneself(_ client: Int32) {
        var byte: UInt8 = 0
        _ = recv(client, &byte, 1, 0)
    }

    static func spawn(
        _ path: String, _ arguments: [String], input: Int32? = nil, output: Int32? = nil
    ) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
        if let output { posix_spawn_file_actions_adddup2(&actions, output, 1) }
        for descriptor in Int32(3)..<64 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var child = pid_t(0)
        posix_spawn(&child, path, &actions, nil, &words, environ)
        for word in words { free(word) }
        posix_spawn_file_actions_destroy(&actions)
        return child
    }
}

/// A connection that was accepted, and is kept when its client has left.
final class ClientSession {
    let descriptor: Int32
    let began = Date()

    init(descriptor: Int32) { self.descriptor = descriptor }
}

enum LeakyServer {
    nonisolated(unsafe) static var sessions: [ClientSession] = []

    static func serve() {
        let listener = Loopback.listener()
        let port = Loopback.port(of: listener)
        onThread { acceptForEver(listener) }
        // The clients are of a child, whose descriptors are its own.
        let script = """
            import socket, time
            kept = []
            for _ in range(70):
                try:
                    s = socket.create_connection(("127.0.0.1", \(port)), 1)
                    kept.append(s)
                except OSError: pass
            time.sleep(0.3)
            for s in kept[:57]: s.close()
            time.sleep(120)
            """
        _ = BorderCases.spawn("/usr/bin/python3", ["python3", "-c", script])
        Thread.sleep(forTimeInterval: 1.5)
    }

    static func acceptForEver(_ listener: Int32) {
        var polled = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        while true {
            _ = poll(&polled, 1, -1)
            let client = accept(listener, nil, nil)
            if client >= 0 { sessions.append(ClientSession(descriptor: client)) }
        }
    }
}
