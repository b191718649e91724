#if TELLTALE_AGENT
package import TelltaleProtocol

/// One frame with its names. An address in inlined code gives several, innermost first.
package struct ResolvedFrame: Sendable, Hashable {
    /// Whose code it is, for screens that look for the first frame of the host's own.
    package enum Origin: Sendable, Hashable {
        /// The host's own code, or a library that came with it.
        case program
        /// The Swift runtime, Dispatch, Foundation, the C library, the kernel's vdso.
        case system
        /// Made by the compiler between two functions: a reabstraction thunk, a partial application's
        /// forwarder, a witness. Says nothing that its neighbours don't.
        case thunk
        /// Telltale itself.
        case agent
    }

    package var address: UInt
    package var kind: RawFrame.Kind
    /// The file name of the shared object or executable.
    package var module: String?
    /// Bytes from where the module was loaded: what is known where there is no name.
    package var moduleOffset: UInt = 0
    /// The function as Swift or C writes it; nil where no symbol covers the address.
    package var function: String?
    /// The same, as it fits a screen: without modules and argument types.
    package var shortFunction: String?
    /// The symbol as the object file has it.
    package var symbol: String?
    /// Bytes from the symbol's start.
    package var offset: UInt = 0
    /// As the debug information has it, whole.
    package var file: String?
    /// Nil where the compiler gave none: code of its own making has no line.
    package var line: Int?
    package var isInlined = false
    package var origin: Origin = .program

    package init(address: UInt, kind: RawFrame.Kind) {
        self.address = address
        self.kind = kind
    }
}

extension StackFrame {
    /// A frame as answers have it.
    package init(_ frame: ResolvedFrame) {
        self.init()
        function = frame.shortFunction ?? frame.function
        module = frame.module
        file = frame.file
        line = frame.line
        address = Quantity.address(frame.address)
        isInlined = frame.isInlined
        isAsync = frame.kind == .asyncResume
    }
}
#endif
