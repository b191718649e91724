#if TELLTALE_AGENT
import CTelltaleSystem
import Glibc

// Exported by the Swift runtime, and part of its ABI. The result is allocated with malloc.
@_silgen_name("swift_demangle")
private func runtimeDemangle(
    _ mangled: UnsafePointer<UInt8>?, _ length: Int, _ output: UnsafeMutablePointer<UInt8>?,
    _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

/// A symbol of an object file, and its demangled form.
package enum SymbolName {
    /// The demangled function; nil if the symbol is neither Swift nor C++.
    package static func demangled(_ symbol: String) -> String? {
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

    /// The symbol of the whole function to which a continuation belongs. The top-level code of an async
    /// program is `async_Main`, which is not mangled, and its continuation after an await is
    /// `async_MainTQ0_`.
    static func whole(_ symbol: String) -> String {
        guard symbol.hasPrefix("async_Main") else { return symbol }
        return String(CodeOrigin.withoutSuspension(symbol[...]))
    }

    /// Returns true if the optimiser has merged several identical functions into this one, which has the
    /// name of the first. The mark is `Tm` at the end, before the suffix of an async continuation or a
    /// clone.
    static func isMerged(_ symbol: String) -> Bool {
        guard isSwift(symbol) else { return false }
        let whole = symbol.firstIndex(of: ".").map { symbol[..<$0] } ?? symbol[...]
        return CodeOrigin.withoutSuspension(whole).hasSuffix("Tm")
    }

    /// The Swift module of a function: the first name in its symbol, or the module of an extension of a
    /// type of the standard library.
    ///
    /// - Parameters:
    ///   - symbol: The symbol as in the object file.
    ///   - function: The demangled symbol.
    /// - Returns: Nil if the symbol is not a Swift function.
    static func module(of symbol: String, _ function: String?) -> String? {
        guard symbol.hasPrefix("$s") else { return nil }
        let text = symbol.utf8.dropFirst(2)
        let digits = text.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        if let length = Int(String(Substring(digits))), digits.first != UInt8(ascii: "0") {
            let name = text.dropFirst(digits.count).prefix(length)
            return name.count == length ? String(Substring(name)) : nil
        }
        guard let function else { return nil }
        return extender(in: function)
    }

    /// `Photos` in `(extension in Photos):Swift.String.shout()`.
    private static func extender(in function: String) -> String? {
        let mark = "(extension in "
        guard function.holds(mark) else { return nil }
        var rest = function[...]
        while !rest.hasPrefix(mark) { rest.removeFirst() }
        return String(rest.dropFirst(mark.count).prefix { $0 != ")" })
    }
}

/// A demangled function, shortened to fit on a screen.
enum ShortFunction {
    /// Shortens the output of `swift_demangle`: `closure #1 @Sendable () -> () in
    /// Photos.PhotoManager.add(Photos.Photo) -> ()` becomes `closure #1 in PhotoManager.add(_:)`. Modules,
    /// types and generic arguments are removed, and a continuation of an async function becomes the
    /// function. A function of another language is returned unchanged.
    static func short(_ function: String) -> String {
        var function = function
        return function.withUTF8 { text in
            String(unsafeUninitializedCapacity: text.count + 8) { output in
                guard let start = text.baseAddress, let target = output.baseAddress else {
                    return 0
                }
                return text.count == 0
                    ? 0
                    : UnsafeRawPointer(start).withMemoryRebound(
                        to: CChar.self, capacity: text.count
                    ) { source in
                        UnsafeMutableRawPointer(target).withMemoryRebound(
                            to: CChar.self, capacity: output.count
                        ) { ctelltale_short_function(source, text.count, $0, output.count) }
                    }
            }
        }
    }
}

extension String {
    /// Returns true if the string contains `part`, byte for byte.
    ///
    /// Like `contains`, but without the setup for each call: the names of frames are searched by the ten
    /// thousand (2 s of a `stuck` with 255 threads, measured).
    package func holds(_ part: String) -> Bool {
        var whole = self
        var part = part
        return whole.withUTF8 { whole in
            part.withUTF8 { part in
                ctelltale_holds(whole.baseAddress, whole.count, part.baseAddress, part.count)
            }
        }
    }
}
#endif
