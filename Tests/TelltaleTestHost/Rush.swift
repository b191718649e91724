import Foundation
import Synchronization

@_silgen_name("fork") private func systemFork() -> Int32

/// Threads, libraries and children that come and go while stacks are captured.
enum Rush {
    private static let goesOn = Atomic(false)
    private static let threads = Atomic(0)
    private static let libraries = Atomic(0)
    private static let forks = Atomic(0)
    private static let running = Atomic(0)

    /// `rush threads 1000`, `rush libraries`, `rush forks 20`: so many a second, in addition to what
    /// goes on already. `rush stop` ends all; `rush` says how much there was:
    /// `threads 1200 libraries 80 forks 3 running 2`.
    static func perform(_ words: [String]) -> String {
        let rate = words.count > 2 ? Int(words[2]) ?? 0 : 100
        switch words.count > 1 ? words[1] : "" {
        case "threads": go { rushThreads(rate) }
        case "libraries": go { rushLibraries() }
        case "forks": go { rushForks(rate) }
        case "stop":
            goesOn.store(false, ordering: .releasing)
            return "stopping"
        default: break
        }
        return "threads \(threads.load(ordering: .relaxed)) "
            + "libraries \(libraries.load(ordering: .relaxed)) "
            + "forks \(forks.load(ordering: .relaxed)) running \(running.load(ordering: .acquiring))"
    }

    private static func go(_ body: @escaping @Sendable () -> Void) {
        goesOn.store(true, ordering: .releasing)
        running.add(1, ordering: .relaxed)
        Thread.detachNewThread {
            body()
            running.subtract(1, ordering: .releasing)
        }
    }

    // Ten times a second a tenth of them, each of which lives for 0 to 20 ms.
    private static func rushThreads(_ rate: Int) {
        while goesOn.load(ordering: .acquiring) {
            for number in 0..<max(1, rate / 10) {
                threads.add(1, ordering: .relaxed)
                Thread.detachNewThread { rushOuter(number) }
            }
            usleep(100_000)
        }
    }

    @inline(never)
    private static func rushOuter(_ number: Int) {
        if rushInner(number) < 0 { threads.subtract(1, ordering: .relaxed) }
    }

    @inline(never)
    private static func rushInner(_ number: Int) -> Int {
        var sum = 0
        for step in 0..<(number % 3 * 1000) { sum = sum &* 31 &+ step }
        usleep(UInt32(number % 20) * 1000)
        return sum & 0xff
    }

    // None of them is one that the host itself needs: each is mapped and unmapped each time.
    private static func rushLibraries() {
        let names = ["libthread_db.so.1", "libcrypt.so.1", "libnss_compat.so.2", "libgd.so.3"]
        while goesOn.load(ordering: .acquiring) {
            for name in names {
                guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { continue }
                libraries.add(1, ordering: .relaxed)
                usleep(500)
                dlclose(library)
            }
            usleep(1000)
        }
    }

    private static func rushForks(_ rate: Int) {
        while goesOn.load(ordering: .acquiring) {
            let pid = systemFork()
            if pid == 0 { _exit(0) }
            guard pid > 0 else { return }
            forks.add(1, ordering: .relaxed)
            var status: Int32 = 0
            waitpid(pid, &status, 0)
            usleep(UInt32(1_000_000 / max(1, rate)))
        }
    }
}
