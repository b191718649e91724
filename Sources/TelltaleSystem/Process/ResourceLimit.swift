#if TELLTALE_COMPILED
/// What the kernel holds a process to, as `getrlimit(2)` and `/proc/PID/limits` say it.
package struct ResourceLimit: Sendable, Equatable {
    /// A resource, by the name that the kernel gives it.
    package enum Resource: String, Sendable {
        case descriptors = "Max open files"
        case processes = "Max processes"
        case addressSpace = "Max address space"
        case data = "Max data size"
        case core = "Max core file size"
        case lockedMemory = "Max locked memory"
    }

    /// What holds now; nil for no bound.
    package var soft: UInt64?
    /// What the process may raise it to; nil for no bound.
    package var hard: UInt64?

    init(soft: UInt64?, hard: UInt64?) {
        self.soft = soft
        self.hard = hard
    }

    /// Reads one line out of the text of `/proc/PID/limits`; nil where there is none.
    package init?(of resource: Resource, in text: String) {
        let name = resource.rawValue + " "
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else {
            return nil
        }
        let words = line.dropFirst(name.count).split(separator: " ")
        guard words.count >= 2 else { return nil }
        for word in words.prefix(2) where word != "unlimited" && UInt64(word) == nil { return nil }
        self.init(soft: UInt64(words[0]), hard: UInt64(words[1]))
    }
}
#endif
