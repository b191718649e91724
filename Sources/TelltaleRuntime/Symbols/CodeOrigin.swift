#if TELLTALE_AGENT
import TelltalePicture

/// Classifies code by its owner: the program, a package, the system, the agent.
package enum CodeOrigin {
    /// The libraries of the toolchain and of the system; a library's name without its version.
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

    /// Returns true if `module`, a file name, is part of the system or the toolchain.
    package static func isSystem(module: String) -> Bool {
        if module.hasPrefix("[") { return true }
        let name = module.prefix { $0 != "." }
        // libswiftCore, libswift_Concurrency, libswiftObservation…
        return name.hasPrefix("libswift") || systemLibraries.contains(String(name))
            || module.hasPrefix("libclang_rt.")
    }

    /// The owner of the function `symbol` in `module`.
    ///
    /// With a static standard library, the runtime's functions are in the program, and are recognised by
    /// their symbols.
    ///
    /// - Parameters:
    ///   - symbol: The symbol as in the object file.
    ///   - function: The demangled symbol.
    ///   - module: The file name of the program or the library.
    ///   - file: The source file, if there is debug information.
    /// - Returns: The owner.
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
    package static let agentModules = [
        "TelltaleAgent", "TelltaleRuntime", "TelltaleSystem", "TelltalePicture", "TelltaleProtocol",
        "TelltaleDiagnosis", "TelltaleFoundation", "TelltaleValues",
    ]

    /// A mangled name begins with the length and the name of its module.
    private static let agentSymbols =
        ["ctelltale_"] + agentModules.map { "$s\($0.utf8.count)\($0)" }

    static func isAgent(symbol: String) -> Bool {
        agentSymbols.contains { symbol.hasPrefix($0) }
    }

    /// Returns true for a function that the compiler generates, by the suffix of its symbol: `TR` and `Tr`
    /// a reabstraction thunk, `TA` a partial application's forwarder, `TW` a protocol witness, `To` and
    /// `TO` thunks to and from Objective-C and C, `Tj` a dispatch thunk, `TTR…`; outlined copies `WO…`.
    static func isThunk(symbol: String) -> Bool {
        guard SymbolName.isSwift(symbol) else { return false }
        var name = symbol[...]
        // The continuation of an async function after an await has the function's symbol with a suffix.
        name = withoutSuspension(name)
        // Clones made by the optimiser: `Tm` merged, `TX…`, and `.llvm.123`, `.resume.0`.
        if let dot = name.firstIndex(of: ".") { name = withoutSuspension(name[..<dot]) }
        return ["TR", "Tr", "TA", "TW", "To", "TO", "Tj", "Tu"].contains { name.hasSuffix($0) }
            || name.hasSuffix("TA.") || name.contains("WO") && name.dropLast(1).hasSuffix("WO")
    }

    /// Removes `TQ0_`, `TY1_`: the suffixes of an async function's continuations.
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

    /// Returns true for a function of the runtime, the standard library or Dispatch, by its symbol.
    private static func isRuntime(symbol: String, function: String?) -> Bool {
        // A file-private C++ function of the runtime is in no namespace, but its parameters are of the
        // runtime's types.
        if symbol.hasPrefix("_Z") {
            return symbol.holds("N5swift") || symbol.holds("NK5swift")
        }
        guard runtimeSymbols.contains(where: { symbol.hasPrefix($0) }) else { return false }
        // An extension in the host: the symbol begins with the extended type.
        guard let function else { return true }
        return !function.holds("(extension in ")
            || ["Swift", "_Concurrency", "Dispatch", "Foundation", "FoundationEssentials"]
                .contains { function.holds("(extension in \($0))") }
    }
}
#endif
