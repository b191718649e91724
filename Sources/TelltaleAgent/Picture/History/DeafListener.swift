#if TELLTALE_AGENT
import TelltalePicture
import TelltaleRuntime
import TelltaleSystem

/// A listening socket with a full backlog for which no thread and no event loop waits.
struct DeafListener: Sendable {
    private static let time = Duration.milliseconds(100)

    let file: BorderFacts.File
    let name: String
    let backlog: BorderFacts.Backlog

    /// Finds one. Without a full backlog that takes 1 us for each descriptor.
    ///
    /// - Parameter threads: Captures the threads.
    /// - Returns: The first; `nil` if there is none, or if something may accept its connections.
    static func found(among threads: ThreadCapture) -> DeafListener? {
        guard BorderReader.hasFullListener else { return nil }
        let deadline = MonotonicTime.now.advanced(by: time)
        let captured = threads.capture(.all, stacks: .none, until: deadline)
        guard !captured.isCut, !captured.threads.isEmpty else { return nil }
        let border = BorderReader.descriptors(captured.threads, until: deadline)
        let full = border.descriptors.filter { descriptor in
            descriptor.backlog.map { $0.waiting > $0.limit } ?? false
        }
        for descriptor in full {
            // A descriptor made by `dup` is the same socket.
            let numbers = border.descriptors.filter { $0.file == descriptor.file }.map(\.number)
            guard !border.isAttended(Set(numbers), by: captured.threads),
                let backlog = descriptor.backlog
            else { continue }
            let name = descriptor.name
            return DeafListener(
                file: descriptor.file,
                name: name.hasSuffix(" listens") ? String(name.dropLast(8)) : name,
                backlog: backlog)
        }
        return nil
    }
}
#endif
