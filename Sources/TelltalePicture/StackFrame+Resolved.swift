#if TELLTALE_AGENT
package import TelltaleProtocol

extension StackFrame {
    /// A frame as answers have it.
    package init(_ frame: ResolvedFrame) {
        self.init(
            function: frame.shortFunction ?? frame.function, module: frame.module,
            file: frame.file, line: frame.line,
            address: Quantity.address(frame.address), isInlined: frame.isInlined,
            isAsync: frame.kind == .asyncResume)
    }
}
#endif
