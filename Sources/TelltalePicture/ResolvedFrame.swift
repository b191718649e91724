#if TELLTALE_AGENT
package import TelltaleProtocol

/// A frame with its names. An address in inlined code gives several, innermost first.
package struct ResolvedFrame: Sendable, Hashable {
    /// The origin of the code, used to find the first frame of the host's own.
    package enum Origin: Sendable, Hashable {
        /// The host's own code, or code of unknown origin.
        case program
        /// A package that the host is built with, such as SwiftNIO: machinery that its own code is
        /// called by and calls.
        case package
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
    /// The offset from the module's load address: it locates a function without a name.
    package var moduleOffset: UInt = 0
    /// The function as Swift or C writes it; `nil` if no symbol covers the address.
    package var function: String?
    /// The same, as it fits a screen: without modules and argument types.
    package var shortFunction: String?
    /// The symbol as the object file has it.
    package var symbol: String?
    /// The Swift module of the function, according to its symbol; `nil` for code that isn't Swift.
    package var swiftModule: String?
    /// Bytes from the symbol's start.
    package var offset: UInt = 0
    /// As the debug information has it, whole.
    package var file: String?
    /// Nil if the compiler gave none: code of its own making has no line.
    package var line: Int?
    package var isInlined = false
    /// The optimiser has made one function of several alike, and named it after one of them: nothing
    /// says which of them was called, and it has no line.
    package var isMerged = false
    package var origin: Origin = .program

    package init(address: UInt, kind: RawFrame.Kind) {
        self.address = address
        self.kind = kind
    }

    /// The host's code, its packages' with it.
    package var isHosts: Bool { origin == .program || origin == .package }

    /// The file, if it can be opened; `nil` for a file made up by the compiler.
    package var sourceFile: String? {
        file.flatMap { $0.hasSuffix("<compiler-generated>") ? nil : $0 }
    }

    /// The position in its module, `photo-manager+0x1f40`; `nil` outside of any.
    package var position: String? {
        module.map { StackFrame.position($0, Quantity.address(moduleOffset)) }
    }

    /// The function; its position where it has no name.
    package var title: String? { name ?? position }

    /// Returns whether it is a function of a type, or a closure in one: with its module or without,
    /// also of a type that is private to its file, which is `(Type in _FILE)` if written out.
    ///
    /// - Parameters:
    ///   - method: The beginning of the function: `main()`; empty for any.
    ///   - type: The type's name without its module.
    /// - Returns: `true` if it is.
    package func isMethod(_ method: String = "", of type: String) -> Bool {
        [shortFunction, function].contains { name in
            guard let name else { return false }
            let part = "\(type).\(method)"
            return name.ranges(of: part).contains { range in
                guard range.lowerBound > name.startIndex else { return true }
                let before = name[name.index(before: range.lowerBound)]
                return !before.isLetter && !before.isNumber && before != "_"
            }
        }
    }

    /// True for the code of `main.swift` outside of its functions, which the compiler puts into C's
    /// `main`.
    private var isTopLevel: Bool {
        function == "main"
            && file.map { $0 == "main.swift" || $0.hasSuffix("/main.swift") } ?? false
    }

    /// The function as a screen has it.
    package var name: String? {
        let name = isTopLevel ? "top level of main.swift" : shortFunction ?? function
        return isMerged ? name.map { $0 + " (or one merged with it)" } : name
    }
}

extension StackFrame {
    /// A frame as answers have it.
    package init(_ frame: ResolvedFrame) {
        self.init()
        function = frame.name
        module = frame.module
        file = frame.sourceFile
        line = frame.line
        address = Quantity.address(frame.address)
        if function == nil, module != nil { offset = Quantity.address(frame.moduleOffset) }
        isInlined = frame.isInlined
        isAsync = frame.kind == .asyncResume
    }
}
#endif
