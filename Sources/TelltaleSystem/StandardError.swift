#if TELLTALE_COMPILED
    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// Writes to the process's standard error that never wait for its reader longer than they may.
    package enum StandardError {
        /// The most bytes in one write: what a pipe takes whole, so that lines of several writers don't mix.
        package static let largestWrite = 4096

        /// Whether it was a socket when this was first asked, at the agent's start.
        package static let beganAsSocket = isSocket

        // A service that closes its standard error may get its number again for a connection.
        private static var isSocket: Bool {
            var facts = stat()
            return fstat(STDERR_FILENO, &facts) == 0 && facts.st_mode & S_IFMT == S_IFSOCK
        }

        /// Writes whole lines, several to a write; none where the number now is a socket's that it was not
        /// at the start.
        ///
        /// The descriptor's flags belong to the host, and to whoever shares the open file with it, and are
        /// not touched: each write is made only after `poll` says that the pipe has room for it.
        ///
        /// - Parameters:
        ///   - lines: Without their line ends. A line over 4,095 bytes is cut, and the cut is said.
        ///   - deadline: When the rest is given up.
        /// - Returns: How many lines were written.
        package static func write(lines: [String], until deadline: MonotonicTime) -> Int {
            if isSocket, !beganAsSocket { return 0 }
            var written = 0
            var pending: [UInt8] = []
            var pendingLines = 0
            func flush() -> Bool {
                guard !pending.isEmpty else { return true }
                guard UnixSocket.wait(for: STDERR_FILENO, toWrite: true, until: deadline) == .ready
                else { return false }
                let count = pending.withUnsafeBytes { buffer in
                    retryingInterrupts {
                        systemWrite(STDERR_FILENO, buffer.baseAddress, buffer.count)
                    }
                }
                guard count == pending.count else { return false }
                written += pendingLines
                pending.removeAll(keepingCapacity: true)
                pendingLines = 0
                return true
            }
            for line in lines {
                let bytes = fitting(line)
                if pending.count + bytes.count > largestWrite, !flush() { return written }
                pending.append(contentsOf: bytes)
                pendingLines += 1
            }
            return flush() ? written : written
        }

        /// A line with its end, at most `largestWrite` bytes, cut between characters.
        package static func fitting(_ line: String) -> [UInt8] {
            let utf8 = line.utf8
            if utf8.count < largestWrite { return Array(utf8) + [0x0A] }
            let mark = " …line cut"
            let room = largestWrite - 1 - mark.utf8.count
            var end = utf8.index(utf8.startIndex, offsetBy: room)
            while end > utf8.startIndex, UTF8.isContinuation(utf8[end]) {
                end = utf8.index(before: end)
            }
            return Array(utf8[..<end]) + Array(mark.utf8) + [0x0A]
        }
    }

    /// `write(2)`, whose name methods of ours hide.
    func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Darwin)
            Darwin.write(descriptor, buffer, count)
        #else
            Glibc.write(descriptor, buffer, count)
        #endif
    }
#endif
