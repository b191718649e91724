#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

extension Connection {
    /// Sends an answer in pages, as they are written: what is long is read there while the rest is made.
    func sendPages(
        before: [UInt8], after: [UInt8],
        _ write: ((UnsafeRawBufferPointer) -> Bool) -> Bool
    ) -> Bool {
        let deadline = MonotonicTime.now.advanced(by: agent.configuration.commandDeadline)
        let send = { (bytes: UnsafeRawBufferPointer) in self.send(bytes, until: deadline) }
        // What is short goes with its ends in one call of the kernel's: who waits for it is woken once.
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

    // In two large steps without optimisation too.
    private static func joined(_ start: [UInt8], _ rest: UnsafeRawBufferPointer) -> [UInt8] {
        let size = start.count + rest.count
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            let all = UnsafeMutableRawBufferPointer(buffer)
            start.withUnsafeBytes { all.copyMemory(from: $0) }
            UnsafeMutableRawBufferPointer(rebasing: all[start.count...]).copyMemory(from: rest)
            count = size
        }
    }
}
#endif
