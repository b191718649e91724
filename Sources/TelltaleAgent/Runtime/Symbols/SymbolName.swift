#if TELLTALE_AGENT
import CTelltaleSystem
import Glibc

// Exported by the Swift runtime, and part of its ABI: the result is malloc'd.
@_silgen_name("swift_demangle")
private func runtimeDemangle(
    _ mangled: UnsafePointer<UInt8>?, _ length: Int, _ output: UnsafeMutablePointer<UInt8>?,
    _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

/// A symbol of an object file, and what it says in words.
enum SymbolName {
    /// The function that the symbol stands for.
    ///
    /// - Returns: nil for what is neither Swift's nor C++'s.
    static func demangled(_ symbol: String) -> String? {
        if symbol.hasPrefix("_Z") {
            guard let result = ctelltale_demangle_cpp(symbol) else { return nil }
            defer { free(result) }
            return String(cString: result)
        }
        guard isSwift(symbol), ctelltale_swift_symbol_is_bounded(symbol) else { return nil }
        var symbol = symbol
        let result = symbol.withUTF8 { runtimeDemangle($0.baseAddress, $0.count, nil, nil, 0) }
        guard let result else { return nil }
        defer { free(result) }
        return String(cString: result)
    }

    static func isSwift(_ symbol: String) -> Bool {
        symbol.hasPrefix("$s") || symbol.hasPrefix("$S") || symbol.hasPrefix("_T0")
            || symbol.hasPrefix("_$s")
    }
}
#endif
