#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import TelltaleAgentProtocol
    import TelltaleAgentSystem

    /// One client, served on a thread of its own.
    ///
    /// A first byte of `{` is a program, which speaks JSON-RPC 2.0 lines; anything else is a person,
    /// who types the same commands.
    final class Connection: Sendable {
        private struct State {
            var isOpen = true
            var idleSince: MonotonicTime? = .now
        }

        let peer: Peer
        let agent: Agent
        private let descriptor: Int32
        private let state = Locked(State())

        init(descriptor: Int32, peer: PeerCredentials, agent: Agent) {
            self.descriptor = descriptor
            self.agent = agent
            self.peer = Peer(
                uid: peer.uid, pid: peer.pid,
                program: peer.pid > 0 ? ProcessFiles(pid: peer.pid).name : nil)
        }

        /// Since when it waits for a request; nil while it answers one.
        var idleSince: MonotonicTime? { state.withLock { $0.idleSince } }

        // MARK: Ends

        /// Has the thread find the end of its input. Safe from any thread.
        func hangUp() {
            state.withLock { state in
                if state.isOpen { SocketShutdown.both(descriptor) }
            }
        }

        /// Ends it in favour of a newcomer.
        func giveWay() { hangUp() }

        /// Turns a newcomer away: there is no place for it.
        func refuse(limit: Int) {
            let failure = CommandFailure(
                .bound, "the agent has \(limit) connections, all of them busy",
                hint: "try again in a moment, or end one of them")
            _ = send(RPCResponse(id: .null, result: .failure(failure)).line + "\n")
            close()
        }

        /// Closes the descriptor, once.
        func close() {
            state.withLock { state in
                guard state.isOpen else { return }
                state.isOpen = false
                ForkHook.close(descriptor)
            }
        }

        // MARK: Bytes

        /// Sends text; false when the peer has gone or doesn't read.
        func send(_ text: String) -> Bool {
            var text = text
            let deadline = MonotonicTime.now.advanced(by: agent.configuration.commandDeadline)
            return text.withUTF8 {
                UnixSocket.write(UnsafeRawBufferPointer($0), to: descriptor, until: deadline)
            }
        }

        /// Answers requests until the peer goes.
        func serve() {
            var splitter = LineSplitter(limit: agent.configuration.maximumRequestBytes)
            var session: (any Session)?
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
            defer { buffer.deallocate() }
            while true {
                do throws(CommandFailure) {
                    while let line = try splitter.next() {
                        let current = session ?? makeSession(first: line.first)
                        session = current
                        setBusy(true)
                        let goesOn = current.answer(line)
                        setBusy(false)
                        guard goesOn else { return }
                    }
                } catch {
                    session?.refuse(error)
                    if session == nil {
                        _ = send(RPCResponse(id: .null, result: .failure(error)).line + "\n")
                    }
                    return
                }
                // A line that has begun must end in time; between lines a client may think.
                let deadline =
                    splitter.isEmpty
                    ? MonotonicTime.distantFuture
                    : MonotonicTime.now.advanced(by: agent.configuration.commandDeadline)
                switch UnixSocket.read(from: descriptor, into: buffer, until: deadline) {
                case .bytes(let count):
                    splitter.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                case .end:
                    // A person's last line may come without its end.
                    if !splitter.isEmpty, !(session is MachineSession) {
                        [UInt8(ascii: "\n")].withUnsafeBytes { splitter.append($0) }
                        if let line = try? splitter.next() {
                            _ = (session ?? makeSession(first: line.first)).answer(line)
                        }
                    }
                    return
                case .timedOut:
                    session?.refuse(
                        CommandFailure(
                            .protocolError,
                            "a request was begun and not ended in "
                                + Text.seconds(agent.configuration.commandDeadline)))
                    return
                case .failed: return
                }
            }
        }

        private func makeSession(first: UInt8?) -> any Session {
            first == UInt8(ascii: "{")
                ? MachineSession(connection: self) : PersonSession(connection: self)
        }

        private func setBusy(_ isBusy: Bool) {
            state.withLock { $0.idleSince = isBusy ? nil : .now }
        }
    }

    /// How one kind of client is talked to.
    protocol Session {
        /// Answers one line; false ends the connection.
        func answer(_ line: [UInt8]) -> Bool
        /// Says why the connection ends.
        func refuse(_ failure: CommandFailure)
    }
#endif
