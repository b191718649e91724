#if TELLTALE_COMPILED
/// A frame of a stack. An address in inlined code gives several, innermost first.
public struct StackFrame: MemberCoded {
    /// The function as Swift or C writes it; `nil` if no symbol covers the address.
    public var function: String?
    /// The file name of the executable or the library.
    public var module: String?
    /// The source file, as the debug information has it; nil without one.
    public var file: String?
    /// The line in it.
    public var line: Int?
    /// The address, hexadecimal with `0x`.
    public var address: String
    /// The offset from the module's load address, hexadecimal with `0x`: it locates a function
    /// without a name.
    public var offset: String?
    /// The function was inlined into the next one.
    public var isInlined = false
    /// Not on the thread's stack: the resume address of a suspended async function.
    public var isAsync = false
}

extension StackFrame {
    /// An empty one, to be read into.
    public init() { self.init(address: "") }

    /// The function; `photo-manager+0x1f40`, or the address alone, where it has no name.
    package var title: String {
        if let function { return function }
        guard let module, let offset else { return address }
        return Self.position(module, offset)
    }

    /// `photo-manager+0x1f40`.
    package static func position(_ module: String, _ offset: String) -> String {
        "\(module)+\(offset)"
    }

    /// Names the members.
    public mutating func code(_ coder: inout MemberCoder) {
        coder.member("function", &function)
        coder.member("module", &module)
        coder.member("file", &file)
        coder.member("line", &line)
        coder.member("address", &address)
        coder.member("offset", &offset)
        coder.member("isInlined", &isInlined)
        coder.member("isAsync", &isAsync)
    }
}
#endif
