#if TELLTALE_COMPILED
/// One frame of a stack. An address in inlined code gives several, innermost first.
public struct StackFrame: Codable, Sendable, Equatable {
    /// The function as Swift or C spells it; nil where no symbol covers the address.
    public var function: String?
    /// The file name of the executable or the library.
    public var module: String?
    /// The source file, as the debug information spells it; nil without one.
    public var file: String?
    /// The line in it.
    public var line: Int?
    /// The address, hexadecimal with `0x`.
    public var address: String
    /// The function was inlined into the next one.
    public var isInlined: Bool
    /// Not on the thread's stack: where a suspended async function goes on.
    public var isAsync: Bool

    /// Makes one.
    ///
    /// - Parameters:
    ///   - function: The function as Swift or C spells it.
    ///   - module: The file name of the executable or the library.
    ///   - file: The source file, as the debug information spells it.
    ///   - line: The line in it.
    ///   - address: The address, hexadecimal with `0x`.
    ///   - isInlined: The function was inlined into the next one.
    ///   - isAsync: Not on the thread's stack: where a suspended async function goes on.
    public init(
        function: String? = nil, module: String? = nil, file: String? = nil, line: Int? = nil,
        address: String, isInlined: Bool = false, isAsync: Bool = false
    ) {
        self.function = function
        self.module = module
        self.file = file
        self.line = line
        self.address = address
        self.isInlined = isInlined
        self.isAsync = isAsync
    }
}
#endif
