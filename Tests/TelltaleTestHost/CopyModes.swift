import Foundation
import Synchronization

@_silgen_name("prctl") private func control(
    _ option: Int32, _ value: UInt, _: UInt, _: UInt, _: UInt
) -> Int32

/// State of a host that a copy of it could meet: fork handlers and locks of the C library.
enum CopyModes {
    private static let handled = Atomic(0)
    private static let blocks = Atomic(false)

    /// `copy handlers` registers fork handlers that count, `copy handled` says how often they ran,
    /// `copy block` has them wait for ever; `copy stdio` has a lock of the C library held for good, which
    /// fork() takes; `copy undumpable` keeps the memory from other processes.
    static func perform(_ words: [String]) -> String? {
        guard words.first == "copy" else { return nil }
        switch words.dropFirst().first {
        case "handlers":
            pthread_atfork({ CopyModes.prepare() }, nil, nil)
            return "registered"
        case "handled": return "\(handled.load(ordering: .relaxed))"
        case "block":
            blocks.store(true, ordering: .relaxed)
            return "blocking"
        case "stdio":
            holdList()
            return "held"
        case "undumpable":
            let setDumpable: Int32 = 4
            let getDumpable: Int32 = 3
            if geteuid() == 0 { setuid(54321) }
            _ = control(setDumpable, 0, 0, 0, 0)
            return "\(control(getDumpable, 0, 0, 0, 0))"
        default: return "unknown"
        }
    }

    private static func prepare() {
        handled.add(1, ordering: .relaxed)
        while blocks.load(ordering: .relaxed) { usleep(10_000) }
    }

    // fflush(nil) holds the list of all files while it waits for one that is locked.
    private static func holdList() {
        guard let file = fopen("/dev/null", "w") else { return }
        flockfile(file)
        let begun = Atomic(false)
        Thread.detachNewThread {
            begun.store(true, ordering: .releasing)
            fflush(nil)
        }
        while !begun.load(ordering: .acquiring) { usleep(1000) }
        // Not to be seen from here: it is in the call as soon as it has had the processor.
        usleep(200_000)
    }
}
