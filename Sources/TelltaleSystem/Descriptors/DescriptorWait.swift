#if TELLTALE_COMPILED
import Glibc

/// Waiting for a descriptor that can be cut short by another, such as the pipe of Ctrl-C.
package enum DescriptorWait {
    /// What ended the wait.
    package enum Outcome: Sendable, Equatable { case ready, interrupted, timedOut, failed }

    /// Waits until `descriptor` can be read from or written to, or `deadline`.
    ///
    /// `interrupt` ends the wait as soon as it can be read; it is looked at first, and not read.
    package static func wait(
        for descriptor: Int32, toWrite: Bool = false, interrupt: Int32?,
        until deadline: MonotonicTime
    ) -> Outcome {
        // poll(2) skips an entry whose descriptor is negative.
        var entries = [
            pollfd(fd: descriptor, events: Int16(toWrite ? POLLOUT : POLLIN), revents: 0),
            pollfd(fd: interrupt ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let timeout = deadline == .distantFuture ? -1 : deadline.pollTimeout
            let count = poll(&entries, nfds_t(entries.count), timeout)
            if count > 0 {
                if entries[1].revents != 0 { return .interrupted }
                return Int32(entries[0].revents) & Int32(POLLNVAL) == 0 ? .ready : .failed
            }
            if count == 0, deadline <= .now { return .timedOut }
            if count < 0, errno != EINTR { return .failed }
        }
    }

    /// Takes everything that stands in a pipe that doesn't block.
    package static func drain(_ descriptor: Int32) {
        var byte: (UInt64, UInt64) = (0, 0)
        while read(descriptor, &byte, MemoryLayout.size(ofValue: byte)) > 0 {}
    }
}
#endif
