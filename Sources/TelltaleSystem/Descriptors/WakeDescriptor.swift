#if TELLTALE_AGENT
import CTelltaleSystem

import Glibc

/// A pair of descriptors that wakes the agent's thread out of `poll`: from a signal handler, or
/// from another thread.
///
/// The host may close either end (`closefrom()`). The polling thread is told, since the other end
/// of a pair of sockets is told, and makes a new pair with ``heal()``.
package final class WakeDescriptor: Sendable {
    private struct Ends {
        var reader: OwnDescriptor
        var writer: OwnDescriptor
    }

    private let ends: Locked<Ends>

    package init() throws(SystemError) { ends = Locked(try Self.make()) }

    deinit {
        let ends = ends.withLock { $0 }
        ForkHook.close(ends.reader)
        ForkHook.close(ends.writer)
    }

    package var reader: OwnDescriptor { ends.withLock { $0.reader } }

    /// The descriptor that a signal handler sends to.
    package var writer: OwnDescriptor { ends.withLock { $0.writer } }

    /// Indicates that neither end was closed.
    package var isOurs: Bool {
        let ends = ends.withLock { $0 }
        return ends.reader.isOurs && ends.writer.isOurs
    }

    /// Replaces a pair that the host has closed.
    package func heal() throws(SystemError) {
        let made = try Self.make()
        let lost = ends.withLock { ends in
            defer { ends = made }
            return ends
        }
        ForkHook.close(lost.reader)
        ForkHook.close(lost.writer)
    }

    /// Wakes the polling thread.
    package func wake() {
        withUnsafePointer(to: writer.facts) { ctelltale_wake_send($0) }
    }

    /// Takes all wake-ups together.
    package func drain() {
        withUnsafePointer(to: reader.facts) { ctelltale_wake_drain($0) }
    }

    private static func make() throws(SystemError) -> Ends {
        var writing: OwnDescriptor?
        let reader = try ForkHook.made { () throws(SystemError) in
            var ends: (Int32, Int32) = (-1, -1)
            guard ctelltale_wake_make(&ends.0, &ends.1) == 0 else {
                throw SystemError("socketpair")
            }
            writing = OwnDescriptor(ends.1)
            return ends.0
        }
        do throws(SystemError) {
            let writer = try ForkHook.known { writing }
            guard let reader, let writer else { throw SystemError("socketpair", code: EBADF) }
            return Ends(reader: reader, writer: writer)
        } catch {
            if let reader { ForkHook.close(reader) }
            throw error
        }
    }
}

/// Removes the agent's state from a forked child.
package enum ForkHook {
    /// Registers the hook, once for the process.
    package static func install() throws(SystemError) {
        let code = ctelltale_fork_hook()
        guard code == 0 else { throw SystemError("pthread_atfork", code: code) }
    }

    /// Makes a descriptor that no forked child keeps, to be closed by ``close(_:)``: a fork waits
    /// until it is on the list. It throws `EMFILE` too, if the list is full.
    package static func made(
        _ make: () throws(SystemError) -> Int32?
    ) throws(SystemError) -> OwnDescriptor? {
        try known { () throws(SystemError) in try make().map { OwnDescriptor($0) } }
    }

    /// As ``made(_:)``, with a `make` that returns the proof itself.
    static func known(
        _ make: () throws(SystemError) -> OwnDescriptor?
    ) throws(SystemError) -> OwnDescriptor? {
        ctelltale_fork_begin_change()
        defer { ctelltale_fork_end_change() }
        guard let descriptor = try make() else { return nil }
        let isKept = withUnsafePointer(to: descriptor.facts) { ctelltale_fork_closes($0) }
        guard isKept else {
            descriptor.close()
            throw SystemError(
                "the list of what a forked child has to close is full", code: EMFILE)
        }
        return descriptor
    }

    /// Closes a descriptor of ``made(_:)``, if its number is still ours.
    package static func close(_ descriptor: OwnDescriptor) {
        descriptor.withProof {
            ctelltale_fork_begin_change()
            withUnsafePointer(to: descriptor.facts) { ctelltale_fork_forgets($0) }
            descriptor.close()
            ctelltale_fork_end_change()
        }
    }

    /// The number of forks between the process that installed the hook and this one.
    package static var generation: UInt32 { ctelltale_fork_generation() }
}

/// Tells when a name has been taken out of a directory.
package enum DirectoryWatch {
    /// A descriptor to poll; to be closed by ``ForkHook/close(_:)``.
    ///
    /// - Returns: `nil` if nothing would prove later that it is ours: without `/proc`.
    /// - Throws: `SystemError` if the system has no inotify descriptors, or none left.
    package static func make(on path: String) throws(SystemError) -> OwnDescriptor? {
        try ForkHook.known { () throws(SystemError) in
            let raw = ctelltale_watch_directory(path)
            guard raw >= 0 else { throw SystemError("inotify_add_watch(\(path))") }
            let facts = ctelltale_descriptor_of_watch(raw)
            guard facts.mark != 0 else {
                OwnDescriptor(raw).close()
                return nil
            }
            return OwnDescriptor(facts)
        }
    }

    /// Takes all wake-ups so far.
    ///
    /// - Returns: False if it isn't known to be ours now, and nothing was taken.
    package static func drain(_ descriptor: OwnDescriptor) -> Bool {
        descriptor.withProof {
            withUnsafePointer(to: descriptor.facts) { ctelltale_watch_drain($0) }
        }
    }
}
#endif
