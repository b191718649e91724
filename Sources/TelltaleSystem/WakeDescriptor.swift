#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import CTelltaleSystem

    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// What wakes the agent's thread out of `poll`: from a signal handler, or from another thread.
    package final class WakeDescriptor: Sendable {
        /// What is polled.
        package let reader: Int32
        /// What is written to; on Linux the same descriptor.
        package let writer: Int32

        package init() throws(SystemError) {
            var reader: Int32 = -1
            var writer: Int32 = -1
            guard ctelltale_wake_make(&reader, &writer) == 0 else { throw SystemError("eventfd") }
            self.reader = reader
            self.writer = writer
        }

        deinit {
            _ = close(reader)
            if writer != reader { _ = close(writer) }
        }

        /// Wakes whoever polls; async-signal-safe.
        package func wake() {
            var one: UInt64 = 1
            // A full counter means that it is awake already.
            _ = systemWrite(writer, &one, MemoryLayout<UInt64>.size)
        }

        /// Takes all wake-ups together.
        package func drain() { ctelltale_wake_drain(reader) }
    }

    /// What a forked child must not keep.
    package enum ForkHook {
        /// Registers the hook, once for the process.
        package static func install() throws(SystemError) {
            let code = ctelltale_fork_hook()
            guard code == 0 else { throw SystemError("pthread_atfork", code: code) }
        }

        /// Has `descriptor` closed in forked children from now on.
        package static func closeInChild(_ descriptor: Int32) -> Bool {
            ctelltale_fork_closes(descriptor)
        }

        /// To be called before `descriptor` is closed here.
        package static func forget(_ descriptor: Int32) { ctelltale_fork_forgets(descriptor) }

        /// How many forks lie between the process that installed the hook and this one.
        package static var generation: UInt32 { ctelltale_fork_generation() }
    }

    /// Tells when a name has been taken out of a directory.
    package enum DirectoryWatch {
        /// A descriptor to poll; throws where the system has no such thing or no more of them.
        package static func make(on path: String) throws(SystemError) -> FileDescriptor {
            let raw = ctelltale_watch_directory(path)
            guard raw >= 0 else { throw SystemError("inotify_add_watch(\(path))") }
            return FileDescriptor(taking: raw)
        }

        /// Takes what has been told so far.
        package static func drain(_ descriptor: Int32) { ctelltale_wake_drain(descriptor) }
    }
#endif
