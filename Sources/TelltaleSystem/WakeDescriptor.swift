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
            _ = try ForkHook.made { () throws(SystemError) in
                guard ctelltale_wake_make(&reader, &writer) == 0 else {
                    throw SystemError("eventfd")
                }
                return reader
            }
            // A pipe's other end, where the system has no eventfd.
            if writer != reader { _ = try ForkHook.made { writer } }
            self.reader = reader
            self.writer = writer
        }

        deinit {
            ForkHook.close(reader)
            if writer != reader { ForkHook.close(writer) }
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

        /// Makes a descriptor that no forked child keeps: a fork waits until it stands on the list.
        ///
        /// - Parameter make: Returns the descriptor; nil where there is none after all.
        /// - Returns: What `make` returned; to be closed by ``close(_:)``.
        /// - Throws: What `make` throws; `EMFILE` where the list is full.
        package static func made(
            _ make: () throws(SystemError) -> Int32?
        ) throws(SystemError) -> Int32? {
            ctelltale_fork_begin_change()
            defer { ctelltale_fork_end_change() }
            guard let descriptor = try make() else { return nil }
            guard ctelltale_fork_closes(descriptor) else {
                _ = systemClose(descriptor)
                throw SystemError(
                    "the list of what a forked child has to close is full", code: EMFILE)
            }
            return descriptor
        }

        /// Closes what ``made(_:)`` made.
        package static func close(_ descriptor: Int32) {
            ctelltale_fork_begin_change()
            ctelltale_fork_forgets(descriptor)
            _ = systemClose(descriptor)
            ctelltale_fork_end_change()
        }

        // The C function, whose name ours hides inside this type.
        private static func systemClose(_ descriptor: Int32) -> Int32 {
            #if canImport(Darwin)
                Darwin.close(descriptor)
            #else
                Glibc.close(descriptor)
            #endif
        }

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
