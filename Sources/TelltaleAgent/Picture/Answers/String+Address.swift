#if TELLTALE_AGENT
extension String {
    /// An address as answers have it, and as commands take it.
    init(address: UInt) { self = "0x" + String(address, radix: 16) }
}
#endif
