#if TELLTALE_AGENT
import CTelltaleSystem
import Glibc

/// A connected socket without a number among the process's descriptors, for a process that has none left.
///
/// Two threads with a descriptor table of their own carry its bytes: one accepts it and reads, the
/// other writes. Other threads exchange data with the client through memory. No descriptor is
/// released for it that a host in constant need of descriptors would take.
package final class ApartSocket: Sendable {
    private struct State {
        var input: [UInt8] = []
        var output: [UInt8] = []
        /// The client sends nothing more.
        var isAtEnd = false
        /// The client hears nothing more.
        var isGone = false
        /// Told to end by this side.
        var isClosing = false
    }

    private let state = TimedCondition(State())
    /// The maximum number of bytes held in each direction.
    private static let room = 256 << 10

    private init() {}

    // MARK: Threads

    package typealias Client = (socket: ApartSocket, peer: PeerCredentials)

    /// Accepts the next client of a listener on a thread with a descriptor table of its own, and calls
    /// `done` there with the client; with nil if there was none. The thread that serves the client must be
    /// created by another thread: see ``OwnDescriptorTable``.
    ///
    /// - Parameters:
    ///   - listener: The listening socket.
    ///   - kept: The descriptor of the process that `done` uses.
    ///   - done: Called once.
    /// - Returns: False if no such thread can be created.
    package static func accept(
        from listener: OwnDescriptor, keeping kept: OwnDescriptor,
        done: @escaping @Sendable (Client?) -> Void
    ) -> Bool {
        guard OwnDescriptorTable.mayBeHad else { return false }
        let caller = Int32(truncatingIfNeeded: NativeThread.currentID)
        do throws(SystemError) {
            try NativeThread.start(name: "telltale-apart") {
                let isDetached = OwnDescriptorTable.detach(keeping: listener, kept, thread: caller)
                let accepted = isDetached && listener.isOurs ? ctelltale_accept(listener.raw) : -1
                // The table goes with its last thread, and the socket with it.
                let socket = ApartSocket()
                guard accepted >= 0, let peer = try? UnixSocket.peer(of: accepted),
                    socket.startWriting(accepted)
                else { return done(nil) }
                done((socket, peer))
                // They are to be gone when the process closes its own.
                listener.close()
                kept.close()
                socket.carryInput(from: accepted)
            }
            return true
        } catch {
            return false
        }
    }

    private func startWriting(_ descriptor: Int32) -> Bool {
        do throws(SystemError) {
            try NativeThread.start(name: "telltale-apart", sharesTable: true) { [self] in
                carryOutput(to: descriptor)
            }
            return true
        } catch {
            return false
        }
    }

    private func carryInput(from descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let result = buffer.withUnsafeMutableBytes {
                UnixSocket.read(from: descriptor, into: $0, until: .distantFuture)
            }
            guard case .bytes(let count) = result else { break }
            state.update { $0.input += buffer[..<count] }
            let hasRoom = state.wait(until: .distantFuture) { state -> Bool? in
                state.isClosing ? false : state.input.count < Self.room ? true : nil
            }
            guard hasRoom == true else { break }
        }
        state.update { $0.isAtEnd = true }
        // It may still listen.
        while !state.withLock({ $0.isClosing }), !SocketShutdown.isDone(descriptor) {
            NativeThread.sleep(.milliseconds(20))
        }
        state.update { $0.isGone = true }
    }

    private func carryOutput(to descriptor: Int32) {
        while true {
            let next =
                state.wait(until: .distantFuture) { state -> [UInt8]? in
                    guard state.output.isEmpty, !state.isClosing, !state.isGone else {
                        defer { state.output = [] }
                        return state.output
                    }
                    return nil
                } ?? []
            // Wakes the writers that wait for space.
            state.wake()
            guard !next.isEmpty else { break }
            let isSent = next.withUnsafeBytes {
                UnixSocket.write($0, to: descriptor, until: .now.advanced(by: .seconds(5)))
            }
            guard isSent else { break }
        }
        state.update { $0.isGone = true }
        // The reading thread finds the end.
        SocketShutdown.both(descriptor)
    }

    // MARK: The agent's side

    /// Indicates that the client hears nothing more.
    package var isGone: Bool { state.withLock { $0.isGone } }

    package func read(
        into buffer: UnsafeMutableRawBufferPointer, until deadline: MonotonicTime
    ) -> UnixSocket.ReadResult {
        state.wait(until: deadline) { state -> UnixSocket.ReadResult? in
            guard !state.input.isEmpty else { return state.isAtEnd || state.isClosing ? .end : nil }
            let count = min(buffer.count, state.input.count)
            buffer.copyBytes(from: state.input[..<count])
            state.input.removeFirst(count)
            return .bytes(count)
        }.map { result in
            state.wake()
            return result
        } ?? .timedOut
    }

    /// Hands bytes over to be sent; false if the client has gone, or has not read within `deadline`.
    package func write(_ bytes: UnsafeRawBufferPointer, until deadline: MonotonicTime) -> Bool {
        let isTaken = state.wait(until: deadline) { state -> Bool? in
            if state.isGone || state.isClosing { return false }
            // One answer may be longer than the room.
            guard state.output.count < Self.room else { return nil }
            state.output += bytes
            return true
        }
        state.wake()
        return isTaken ?? false
    }

    /// Ends it once what was handed over is sent.
    package func close() { state.update { $0.isClosing = true } }
}
#endif
