#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

extension Connection {
    /// Sends text; false if the peer has gone or doesn't read.
    func send(_ text: String) -> Bool {
        var text = text
        let deadline = MonotonicTime.now.advanced(by: agent.configuration.commandDeadline)
        return text.withUTF8 { send(UnsafeRawBufferPointer($0), until: deadline) }
    }

    private func send(_ bytes: UnsafeRawBufferPointer, until deadline: MonotonicTime) -> Bool {
        if let apart { return apart.write(bytes, until: deadline) }
        return UnixSocket.write(
            bytes, to: descriptor.raw, until: deadline,
            while: { [descriptor] in descriptor.isOurs })
    }

    /// Sends an answer in pages, as they are written: the client reads the first pages while the agent
    /// makes the others.
    func sendPages(
        before: [UInt8], after: [UInt8],
        _ write: ((UnsafeRawBufferPointer) -> Bool) -> Bool
    ) -> Bool {
        let deadline = MonotonicTime.now.advanced(by: agent.configuration.commandDeadline)
        let send = { (bytes: UnsafeRawBufferPointer) in self.send(bytes, until: deadline) }
        // A short answer goes out with its beginning and its end in one system call, so its client is woken
        // once.
        var first: [UInt8]?
        var isLong = false
        let isDone = write { page in
            guard let start = first else {
                first = Self.joined(before, page)
                return true
            }
            if !isLong, !start.withUnsafeBytes(send) { return false }
            isLong = true
            return send(page)
        }
        guard isDone else { return false }
        return (isLong ? after : (first ?? before) + after).withUnsafeBytes(send)
    }

    // Two large copies, which are fast without optimisation too.
    private static func joined(_ start: [UInt8], _ rest: UnsafeRawBufferPointer) -> [UInt8] {
        let size = start.count + rest.count
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            let all = UnsafeMutableRawBufferPointer(buffer)
            start.withUnsafeBytes { all.copyMemory(from: $0) }
            UnsafeMutableRawBufferPointer(rebasing: all[start.count...]).copyMemory(from: rest)
            count = size
        }
    }

    /// Refuses a new connection.
    func refuse(_ failure: CommandFailure) {
        _ = send(RPCResponse(id: .null, result: .failure(failure)).line + "\n")
        _ = close()
    }
}
#endif
