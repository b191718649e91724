#if TELLTALE_COMPILED
import Glibc

package enum PollSet {
    /// Waits until one of `descriptors` can be read, at most so many milliseconds, or -1 for as
    /// long as it takes.
    ///
    /// - Returns: The ones that can be read; none after a time-out or a signal.
    package static func wait(for descriptors: [Int32], milliseconds: Int32) -> [Int32] {
        var sleeps: Sleeps?
        return wait(for: descriptors, milliseconds: milliseconds, sleeps: &sleeps)
    }

    /// The number of times a thread had gone to sleep before a wait, and after it.
    package struct Sleeps: Sendable {
        package var before: Int
        package var after: Int
    }

    /// As ``wait(for:milliseconds:)``, and counts the thread's sleeps for it: a signal that stops
    /// the process, a debugger or a frozen cgroup wakes it, and it sleeps again until it may
    /// continue, twice or more in one wait. A thread that waits for a core, or whose machine is
    /// halted, has slept once. `nil` if the system doesn't count that.
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

    /// The number of voluntary context switches of the calling thread; `nil` if they are not
    /// counted.
    package static var sleeps: Int? {
        var usage = rusage()
        // RUSAGE_THREAD, which glibc shows to GNU programs alone.
        guard getrusage(__rusage_who_t(1), &usage) == 0 else { return nil }
        return usage.ru_nvcsw
    }
}

/// Waiting for a descriptor, which can be cut short by another, such as the pipe of Ctrl-C.
package enum DescriptorWait {
    package enum Outcome: Sendable, Equatable { case ready, interrupted, timedOut, failed }

    /// Waits until `descriptor` can be read from or written to, or until `deadline`. The wait fails
    /// if it is not a descriptor, or if written data would have no reader.
    ///
    /// `interrupt` ends the wait as soon as it is readable; it is checked first, and not read.
    package static func wait(
        for descriptor: Int32, toWrite: Bool = false, interrupt: Int32? = nil,
        until deadline: MonotonicTime
    ) -> Outcome {
        var entry = pollfd(fd: descriptor, events: Int16(toWrite ? POLLOUT : POLLIN), revents: 0)
        guard let interrupt else {
            return wait(until: deadline) { poll(&entry, 1, $0) } ?? outcome(of: entry, toWrite)
        }
        var entries = [entry, pollfd(fd: interrupt, events: Int16(POLLIN), revents: 0)]
        return wait(until: deadline) { poll(&entries, 2, $0) }
            ?? (entries[1].revents != 0 ? .interrupted : outcome(of: entries[0], toWrite))
    }

    /// Waits by calls of `poll`, which is given its time; `nil` if one of them has found something.
    private static func wait(
        until deadline: MonotonicTime, _ poll: (Int32) -> Int32
    ) -> Outcome? {
        while true {
            let timeout = deadline == .distantFuture ? -1 : deadline.pollTimeout
            // `errno` is not changed on the way back.
            let count = timeout == 0 ? poll(0) : ForkGate.waiting { poll(timeout) }
            if count > 0 { return nil }
            if count == 0, deadline <= .now { return .timedOut }
            if count < 0, errno != EINTR { return .failed }
        }
    }

    private static func outcome(of entry: pollfd, _ toWrite: Bool) -> Outcome {
        let ends = toWrite ? POLLNVAL | POLLERR | POLLHUP : POLLNVAL
        return Int32(entry.revents) & Int32(ends) == 0 ? .ready : .failed
    }

    /// Takes all bytes in a pipe that doesn't block.
    package static func drain(_ descriptor: Int32) {
        var byte: (UInt64, UInt64) = (0, 0)
        while read(descriptor, &byte, MemoryLayout.size(ofValue: byte)) > 0 {}
    }
}
#endif
