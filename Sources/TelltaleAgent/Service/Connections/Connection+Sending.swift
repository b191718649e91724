#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

extension Connection {
    /// Sends text; false when the peer has gone or doesn't read.
    func send(_ text: String) -> Bool {
        var text = text
        let deadline = MonotonicTime.now.advanced(by: agent.configuration.commandDeadline)
        return text.withUTF8 {
            UnixSocket.write(
                UnsafeRawBufferPointer($0), to: descriptor.raw, until: deadline,
                while: { [descriptor] in descriptor.isOurs })
        }
    }

    /// Sends bytes; false when the peer has gone or doesn't read.
    func send(_ bytes: UnsafeRawBufferPointer, until deadline: MonotonicTime) -> Bool {
        UnixSocket.write(
            bytes, to: descriptor.raw, until: deadline,
            while: { [descriptor] in descriptor.isOurs })
    }

    /// Turns a newcomer away: there is no place for it.
    func refuse(limit: Int) {
        let failure = CommandFailure(
            .bound, "the agent has \(limit) connections, all of them busy",
            hint: "try again in a moment, or end one of them")
        _ = send(RPCResponse(id: .null, result: .failure(failure)).line + "\n")
        _ = close()
    }
}
#endif
