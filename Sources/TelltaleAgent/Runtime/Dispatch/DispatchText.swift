#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleProtocol
import TelltaleSystem

/// Strings that libdispatch keeps.
enum DispatchText {
    /// The string at `address` as it is shown, empty for a queue without a label (0); nil where it can't
    /// be read, or is no text and not to be repaired. What is longer than `limit` ends in `…`.
    static func string(at address: UInt, limit: Int = 256, repairing: Bool = false) -> String? {
        guard address != 0 else { return "" }
        return withUnsafeTemporaryAllocation(byteCount: limit + 1, alignment: 1) { buffer in
            guard let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else {
                return nil
            }
            let count = ctelltale_dispatch_text(address, start, limit + 1)
            guard count >= 0, count <= limit else { return nil }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer.prefix(Int(count)))
            // A label that was cut may end inside of a character.
            if count == limit {
                let text = String(decoding: bytes, as: UTF8.self)
                return (SecretURL.masking(text, isWhole: false) ?? text) + "…"
            }
            if repairing { return HostLabel.shown(String(decoding: bytes, as: UTF8.self)) }
            return String(validating: bytes, as: UTF8.self).map(HostLabel.shown)
        }
    }
}
#endif
