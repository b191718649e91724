#if TELLTALE_AGENT
import TelltalePicture
import TelltaleSystem

/// The use of the kernel by threads (`/proc/PID/task/TID/io` and `stat`, proc(5)).
enum KernelUses {
    /// The maximum number of threads that are looked at.
    private static let mostThreads = 64

    /// Reads that of the threads that run, then of those that wait for events.
    static func read(_ threads: [ThreadFacts]) -> [Int32: BorderFacts.KernelUse] {
        let own = threads.filter { !$0.isAgent }
        let chosen = own.filter { $0.wait == .running } + own.filter { $0.wait.isEventLoop }
        var found: [Int32: BorderFacts.KernelUse] = [:]
        for thread in chosen.prefix(mostThreads) {
            let folder = "/proc/self/task/\(thread.id)/"
            found[thread.id] = BorderFacts.KernelUse(
                transfers: SmallFile.text(of: folder + "io").flatMap(transfers),
                seconds: SmallFile.text(of: folder + "stat").flatMap(kernelSeconds))
        }
        return found
    }

    /// The sum of `syscr` and `syscw`; `nil` if one is missing.
    static func transfers(_ text: String) -> UInt64? {
        let counts = text.split(separator: "\n").compactMap { line -> UInt64? in
            let words = line.split(separator: " ")
            guard words.count == 2, words[0] == "syscr:" || words[0] == "syscw:" else { return nil }
            return UInt64(words[1])
        }
        return counts.count == 2 ? counts[0] &+ counts[1] : nil
    }

    /// The field `stime`; `nil` if it is missing.
    static func kernelSeconds(_ text: String) -> Double? {
        // The name in parentheses may have spaces and parentheses itself.
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 12, let ticks = Double(fields[12]) else { return nil }
        return ticks / ProcessFiles.ticksPerSecond
    }
}
#endif
