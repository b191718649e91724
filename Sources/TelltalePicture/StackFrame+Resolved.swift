#if TELLTALE_AGENT
package import TelltaleProtocol

extension StackFrame {
    /// A frame as answers have it.
    package init(_ frame: ResolvedFrame) {
        self.init(
            function: frame.shortFunction ?? frame.function, module: frame.module,
            file: frame.file, line: frame.line,
            address: "0x" + String(frame.address, radix: 16), isInlined: frame.isInlined,
            isAsync: frame.kind == .asyncResume)
    }
}
#endif
