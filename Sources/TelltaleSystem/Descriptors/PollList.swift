#if TELLTALE_COMPILED
import Glibc

/// Descriptors that one thread waits for again and again: the list is made once.
///
/// Not an epoll instance: that has a number of its own, which a host that calls `closefrom()` closes and may have
/// for its own next one, and nothing tells the two apart.
package struct PollList: ~Copyable {
    private var entries: [pollfd]

    package init(_ descriptors: [Int32]) {
        entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    }

    /// Waits until one of them can be read or has ended, at most so many milliseconds.
    ///
    /// - Returns: How many can; 0 after a time-out or a signal.
    /// - Complexity: One call of the kernel's, of some 0.1 µs for each descriptor.
    package mutating func wait(milliseconds: Int32) -> Int {
        let count = ForkGate.waiting { poll(&entries, nfds_t(entries.count), milliseconds) }
        return max(0, Int(count))
    }

    /// Whether there is something of the one at `index` since the last wait, if that has found any.
    package func isReady(_ index: Int) -> Bool { entries[index].revents != 0 }

    /// Whether there are bytes of it and nothing else, such as an error, which a peek would take.
    package func hasOnlyBytes(_ index: Int) -> Bool {
        entries[index].revents == Int16(POLLIN)
    }
}
#endif
