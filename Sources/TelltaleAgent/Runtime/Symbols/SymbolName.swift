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
    /// The function that the symbol stands for; nil for what is neither Swift's nor C++'s.
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

/// A demangled function, so short that it fits a screen.
enum ShortFunction {
    /// `closure #1 @Sendable () -> () in Photos.PhotoManager.add(Photos.Photo) -> ()`, as
    /// `swift_demangle` gives it, becomes `closure #1 in PhotoManager.add(_:)`: no module, no
    /// types, no generic arguments, and an async function's later parts are the function. What is
    /// of other languages comes back as it is.
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
    /// Whether `part` stands somewhere in it, byte for byte.
    ///
    /// What `contains` says, without its preparations for each call: names of frames are looked
    /// through by the ten thousand (2 s of a `stuck` with 255 threads, measured).
    func holds(_ part: String) -> Bool {
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
