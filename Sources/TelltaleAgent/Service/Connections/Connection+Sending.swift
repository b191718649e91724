#if TELLTALE_AGENT
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
}
#endif
