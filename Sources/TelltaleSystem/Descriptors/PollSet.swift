#if TELLTALE_COMPILED
import Glibc

/// Waits for several descriptors at once.
package enum PollSet {
    /// Waits until one of `descriptors` can be read.
    ///
    /// - Parameters:
    ///   - descriptors: What is waited for.
    ///   - milliseconds: At most; -1 for as long as it takes.
    /// - Returns: The ones that can be read; none after a time-out or a signal.
    package static func wait(for descriptors: [Int32], milliseconds: Int32) -> [Int32] {
        var sleeps: Sleeps?
        return wait(for: descriptors, milliseconds: milliseconds, sleeps: &sleeps)
    }

    /// How often a thread had gone to sleep before a wait and after it.
    package struct Sleeps: Sendable {
        package var before: Int
        package var after: Int
    }

    /// Waits until one of `descriptors` can be read, and tells how often the thread slept for that.
    ///
    /// - Parameters:
    ///   - descriptors: What is waited for.
    ///   - milliseconds: At most; -1 for as long as it takes.
    ///   - sleeps: Set to how often it had gone to sleep. For a signal that stops the process, a
    ///     debugger or a frozen cgroup it is woken, and sleeps again until it may go on: twice or more
    ///     in one wait. A thread that waits for a core, or whose machine is halted, has slept once. nil
    ///     where the system doesn't count that.
    /// - Returns: The ones that can be read; none after a time-out or a signal.
    package static func wait(
        for descriptors: [Int32], milliseconds: Int32, sleeps: inout Sleeps?
    ) -> [Int32] {
        var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var counted: Sleeps?
        let count = ForkGate.waiting {
            let before = Self.sleeps
            let count = poll(&entries, nfds_t(entries.count), milliseconds)
            if let before, let after = Self.sleeps {
                counted = Sleeps(before: before, after: after)
            }
            return count
        }
        sleeps = counted
        guard count > 0 else { return [] }
        return entries.filter { $0.revents != 0 }.map(\.fd)
    }

    /// How often the calling thread has gone to sleep of its own accord; nil where nobody counts it.
    package static var sleeps: Int? {
        var usage = rusage()
        // RUSAGE_THREAD, which glibc shows to GNU programs alone.
        guard getrusage(__rusage_who_t(1), &usage) == 0 else { return nil }
        return usage.ru_nvcsw
    }
}
#endif
