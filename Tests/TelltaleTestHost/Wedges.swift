import Dispatch
import Foundation
import Synchronization

private let takenEnd = Atomic(-1)

extension Stage {
    /// Brings the host into a state from which it doesn't come back.
    ///
    /// - Parameter name: See the cases; `all` is everything that can go together.
    /// - Returns: What is answered: `wedged` once it is so.
    func wedge(_ name: String) -> String {
        switch name {
        case "pool": Self.exhaustPool()
        case "cooperative": Self.exhaustCooperativePool()
        case "main-lock":
            onMain {
                let lock = NSLock()
                lock.lock()
                lock.lock()
            }
        case "main-read":
            onMain {
                let pipe = Pipe()
                _ = pipe.fileHandleForReading.readData(ofLength: 1)
            }
        case "main-loop": onMain { while true {} }
        case "queue-suspended": queue.suspend()
        case "queue-hung": onQueue { sleep(3600) }
        case "queue-main-deadlock":
            let queue = queue
            onQueue {
                Self.waitForMainToWait()
                DispatchQueue.main.sync {}
            }
            onMain { queue.sync(flags: .barrier) {} }
        case "actor":
            let begun = DispatchSemaphore(value: 0)
            let store = store
            Task.detached { await store.hang(begun) }
            begun.wait()
        case "lock":
            let begun = DispatchSemaphore(value: 0)
            let cache = cache
            Thread.detachNewThread {
                cache.lock.withLock { _ in
                    begun.signal()
                    sleep(3600)
                }
            }
            begun.wait()
        case "memory": return Self.limitMemory()
        case _ where name.hasPrefix("data-"): return Self.limitData(UInt(name.dropFirst(5)) ?? 0)
        case "descriptors":
            // `dispatchMain` needs a main queue of its own, and traps without: that is not staged
            // here.
            onMain {}
            usleep(100_000)
            Self.useUpDescriptors()
        case "errors-closed": close(2)
        case "errors-taken":
            // In one step: between a close and the next open another thread may take the number.
            var ends: [Int32] = [-1, -1]
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0,
                dup2(ends[0], 2) == 2
            else { return "no connection" }
            close(ends[0])
            takenEnd.store(Int(ends[1]), ordering: .relaxed)
        case "errors-got":
            // The bytes that the agent wrote into the host's connection.
            var buffer = [UInt8](repeating: 0, count: 256)
            let end = Int32(takenEnd.load(ordering: .relaxed))
            return "\(recv(end, &buffer, buffer.count, Int32(MSG_DONTWAIT)))"
        case "file-size":
            // As a disk that is full: a write fails, and sends a signal besides.
            var limit = rlimit(rlim_cur: 512, rlim_max: 512)
            setrlimit(__rlimit_resource_t(1), &limit)
        case "all":
            for part in ["main-loop", "actor", "lock", "queue-hung", "pool", "cooperative"] {
                _ = wedge(part)
            }
        default: return "unknown"
        }
        return "wedged"
    }

    private func onMain(_ body: @escaping @Sendable () -> Void) {
        let begun = DispatchSemaphore(value: 0)
        DispatchQueue.main.async {
            begun.signal()
            body()
        }
        begun.wait()
    }

    private func onQueue(_ body: @escaping @Sendable () -> Void) {
        let begun = DispatchSemaphore(value: 0)
        queue.async(flags: .barrier) {
            begun.signal()
            body()
        }
        begun.wait()
    }

    // Long enough for the main thread to be inside its own `sync`: both then wait for good.
    private static func waitForMainToWait() { usleep(50_000) }

    // Each serial queue takes a thread, and at 512 threads Dispatch makes no more of them.
    private static func exhaustPool() {
        for number in 0..<600 {
            DispatchQueue(label: "test.blocked.\(number)").async { sleep(3600) }
        }
    }

    private static func exhaustCooperativePool() {
        let width = ProcessInfo.processInfo.activeProcessorCount
        let begun = DispatchSemaphore(value: 0)
        for _ in 0..<max(80, width * 2) {
            Task.detached {
                begun.signal()
                sleep(3600)
            }
        }
        // If other work holds its threads already, it is exhausted without these.
        for _ in 0..<width { _ = begun.wait(timeout: .now() + 1) }
    }

    // As `ulimit -v` a little above the present usage.
    private static func limitMemory() -> String {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = UInt(text.split(separator: " ").first ?? "")
        else { return "unknown" }
        let bytes = rlim_t(pages) * 4096 + 1024 * 1024
        var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
        return setrlimit(__rlimit_resource_t(9), &limit) == 0 ? "wedged" : "not limited"
    }

    // As `ulimit -d` so many KiB above what is in use.
    private static func limitData(_ kibibytes: UInt) -> String {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmData:") }),
            let used = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ UInt($0) })
        else { return "unknown" }
        let bytes = rlim_t(used + kibibytes) * 1024
        var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
        return setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0
            ? "wedged" : "not limited"
    }

    // As `ulimit -n` at what is in use, with every hole taken.
    private static func useUpDescriptors() {
        var limit = rlimit(rlim_cur: 256, rlim_max: 256)
        setrlimit(__rlimit_resource_t(7), &limit)
        while open("/dev/null", O_RDONLY) >= 0 {}
    }
}
