#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    /// One frame with its names. An address in inlined code gives several, innermost first.
    struct ResolvedFrame: Sendable, Hashable {
        var address: UInt
        var kind: RawFrame.Kind
        /// The file name of the shared object or executable.
        var module: String?
        /// The function as Swift or C spells it; nil where no symbol covers the address.
        var function: String?
        /// The symbol as the object file has it.
        var symbol: String?
        /// Bytes from the symbol's start.
        var offset: UInt
        /// As the debug information spells it, whole.
        var file: String?
        var line: Int?
        /// The function was inlined into the next one.
        var isInlined: Bool
    }
#endif
