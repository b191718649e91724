#if TELLTALE_AGENT
import CTelltaleSystem

/// A demangled function, spelled so that it fits a screen.
enum FunctionSpelling {
    /// `closure #1 @Sendable () -> () in Photos.PhotoManager.add(Photos.Photo) -> ()` becomes
    /// `closure #1 in PhotoManager.add(_:)`: no module, no types, no generic arguments, and an async
    /// function's later parts are the function.
    ///
    /// - Parameter function: As `swift_demangle` gives it; other languages' come back as they are.
    /// - Returns: The short spelling.
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
#endif
