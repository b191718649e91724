#if TELLTALE_AGENT
#if canImport(Darwin)
import Darwin
#else
import Glibc
import TelltalePicture
#endif

@_silgen_name("backtrace")
private func cBacktrace(_ frames: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ count: CInt)
    -> CInt

/// Addresses that names are sought for.
enum SymbolSamples {
    static func address(of symbol: String) -> UInt? {
        dlsym(nil, symbol).map { UInt(bitPattern: $0) }
    }

    /// The caller's stack, by the C library's own unwinder.
    @inline(never)
    static func stack() -> [RawFrame] {
        var frames = [UnsafeMutableRawPointer?](repeating: nil, count: 64)
        let count = cBacktrace(&frames, 64)
        return frames.prefix(Int(count)).map {
            RawFrame(address: UInt(bitPattern: $0), kind: .returnAddress)
        }
    }
}
#endif
