#if TELLTALE_AGENT
import TelltalePicture

/// Whose code an address is in.
enum CodeOrigin {
    /// What the toolchain and the system bring; a library's name up to its version.
    private static let systemLibraries: Set<String> = [
        "libBlocksRuntime", "libdispatch", "libFoundation", "libFoundationEssentials",
        "libFoundationInternationalization", "libFoundationNetworking", "libFoundationXML",
        "lib_FoundationICU", "libTesting", "lib_Testing_Foundation", "lib_TestingInterop",
        "libXCTest", "libc", "libm",
        "libpthread", "libdl", "librt", "libresolv", "libutil", "libgcc_s", "libstdc++",
        "libc++", "libc++abi", "libunwind", "ld-linux-x86-64", "ld-linux-aarch64",
        "ld-musl-x86_64",
        "ld-musl-aarch64", "libclang_rt",
    ]

    /// Whether `module`, a file name, comes with the system or the toolchain.
    static func isSystem(module: String) -> Bool {
        if module.hasPrefix("[") { return true }
        let name = module.prefix { $0 != "." }
        // libswiftCore, libswift_Concurrency, libswiftObservation…
        return name.hasPrefix("libswift") || systemLibraries.contains(String(name))
            || module.hasPrefix("libclang_rt.")
    }

    /// Whose the function `symbol` in `module` is.
    ///
    /// With a static standard library the runtime's functions lie in the program: their symbols tell.
    ///
    /// - Parameters:
    ///   - symbol: As the object file has it.
    ///   - function: The same in words.
    ///   - module: The file name of the program or the library.
    ///   - file: The source file, where the debug information has it.
    /// - Returns: Whose.
    static func of(
        symbol: String?, function: String?, module: String?, file: String? = nil
    ) -> ResolvedFrame.Origin {
        if let module, isSystem(module: module) {
            return isThunk(symbol: symbol ?? "") ? .thunk : .system
        }
        guard let symbol else { return .program }
        if isAgent(symbol: symbol) { return .agent }
        if isThunk(symbol: symbol) { return .thunk }
        if isRuntime(symbol: symbol, function: function) { return .system }
        let swiftModule = SymbolName.module(of: symbol, function)
        return PackageOrigin.isPackages(file: file, module: swiftModule) ? .package : .program
    }

    /// The modules of the agent, as they are linked into a host.
    static let agentModules = [
        "TelltaleAgent", "TelltaleSystem", "TelltalePicture", "TelltaleProtocol",
        "TelltaleDiagnosis", "TelltaleFoundation",
    ]

    /// A mangled name begins with its module's, before which stands its length.
    private static let agentSymbols =
        ["ctelltale_"] + agentModules.map { "$s\($0.utf8.count)\($0)" }

    static func isAgent(symbol: String) -> Bool {
        agentSymbols.contains { symbol.hasPrefix($0) }
    }

    /// Whether a function is one of libdispatch's inner ones.
    static func isDispatchs(_ function: String?) -> Bool {
        function?.hasPrefix("_dispatch_") == true
    }

    /// How the symbols of what the compiler makes end: `TR` and `Tr` a reabstraction thunk, `TA` a
    /// partial application's forwarder, `TW` a protocol witness, `To` and `TO` thunks to and from
    /// Objective-C and C, `Tj` a dispatch thunk, `TTR…`; outlined copies `WO…`.
    static func isThunk(symbol: String) -> Bool {
        guard SymbolName.isSwift(symbol) else { return false }
        var name = symbol[...]
        // What is left of an async function behind an await has the same name with a suffix.
        name = withoutSuspension(name)
        // Clones of the optimiser: `Tm` merged, `TX…`, and `.llvm.123`, `.resume.0`.
        if let dot = name.firstIndex(of: ".") { name = withoutSuspension(name[..<dot]) }
        return ["TR", "Tr", "TA", "TW", "To", "TO", "Tj", "Tu"].contains { name.hasSuffix($0) }
            || name.hasSuffix("TA.") || name.contains("WO") && name.dropLast(1).hasSuffix("WO")
    }

    /// Without `TQ0_`, `TY1_`: the parts of an async function.
    static func withoutSuspension(_ symbol: Substring) -> Substring {
        guard symbol.hasSuffix("_") else { return symbol }
        var head = symbol.dropLast()
        while let last = head.last, last.isASCII, last.isNumber { head = head.dropLast() }
        return head.hasSuffix("TQ") || head.hasSuffix("TY") ? head.dropLast(2) : symbol
    }

    private static let runtimeSymbols = [
        "swift_", "_swift_", "$sS", "$ss", "_dispatch_", "dispatch_", "$s8Dispatch",
        "$s10Foundation", "$s12_Concurrency", "__DISPATCH_",
    ]

    /// A function of the runtime, the standard library or Dispatch, by its symbol.
    private static func isRuntime(symbol: String, function: String?) -> Bool {
        // What is private to a file of the runtime has no namespace, but takes its types.
        if symbol.hasPrefix("_Z") {
            return symbol.holds("N5swift") || symbol.holds("NK5swift")
        }
        guard runtimeSymbols.contains(where: { symbol.hasPrefix($0) }) else { return false }
        // An extension of the host's: the symbol begins with the type that it extends.
        guard let function else { return true }
        return !function.holds("(extension in ")
            || ["Swift", "_Concurrency", "Dispatch", "Foundation", "FoundationEssentials"]
                .contains { function.holds("(extension in \($0))") }
    }
}
#endif
