#if TELLTALE_AGENT
package import TelltalePicture
package import TelltaleSystem

extension Symbolicator {
    /// The functions that begin at `functions`. A forwarder that only passes a closure's captures on to the
    /// closure is replaced by the closure, which has a line.
    package func bodies(of functions: [UInt], deadline: MonotonicTime) -> [ResolvedFrame] {
        var found = names(of: functions, deadline: deadline)
        var places: [(index: Int, target: UInt)] = []
        for (index, frame) in found.enumerated() {
            guard frame.symbol.flatMap(Self.withoutForwarder) != nil,
                functions.indices.contains(index)
            else { continue }
            places += Self.targets(from: functions[index]).map { (index, $0) }
        }
        if !places.isEmpty {
            let targets = names(of: places.map(\.target), deadline: deadline)
            for ((index, _), body) in zip(places, targets)
            where body.symbol != nil
                && body.symbol == found[index].symbol.flatMap(Self.withoutForwarder)
            {
                found[index] = body
            }
        }
        findInlined(in: &found, of: functions, deadline: deadline)
        return found
    }

    /// The maximum number of closures searched for in their forwarders.
    private static let mostInlined = 64

    // In an optimised build the closure is inlined into its forwarder, whose first instructions have no
    // line. The first instruction that belongs to the closure and has a line gives the closure's line.
    private func findInlined(
        in found: inout [ResolvedFrame], of functions: [UInt], deadline: MonotonicTime
    ) {
        let wanted = zip(found.indices, functions).filter { index, _ in
            found[index].line == nil
                && found[index].symbol.flatMap(Self.withoutForwarder) != nil
        }.prefix(Self.mostInlined)
        guard !wanted.isEmpty else { return }
        let places = wanted.flatMap { index, function in
            stride(from: UInt(8), to: UInt(Self.most), by: 8).map { (index, function &+ $0) }
        }
        let frames = resolve(
            places.map { RawFrame(address: $0.1, kind: .programCounter) }, deadline: deadline)
        for ((index, _), inner) in zip(places, frames) {
            // An address after the end of the function belongs to another function.
            guard let outer = found[index].symbol, inner.last?.symbol == outer,
                let closure = Self.withoutForwarder(outer),
                let body = inner.first(where: { $0.symbol == closure && $0.line != nil })
            else { continue }
            let address = found[index].address
            found[index] = body
            found[index].address = address
            found[index].offset = 0
            found[index].isInlined = false
        }
    }

    /// The function to which a partial application's forwarder (`…TA`) forwards.
    private static func withoutForwarder(_ symbol: String) -> String? {
        symbol.hasSuffix("TA") ? String(symbol.dropLast(2)) : nil
    }

    /// The maximum length of a forwarder's code, in bytes.
    private static let most = 128

    // The targets of calls and jumps, decoded at every offset at which such an instruction may begin. The
    // caller compares the symbols.
    private static func targets(from function: UInt) -> [UInt] {
        var code = [UInt8](repeating: 0, count: most)
        guard code.withUnsafeMutableBytes({ GuardedMemory.read(address: function, into: $0) })
        else { return [] }
        var targets: [UInt] = []
        #if arch(x86_64)
        for index in 0..<(most - 5) where code[index] == 0xE8 || code[index] == 0xE9 {
            var distance: UInt32 = 0
            for byte in (0..<4).reversed() {
                distance = distance << 8 | UInt32(code[index + 1 + byte])
            }
            let offset = UInt(bitPattern: Int(Int32(bitPattern: distance)))
            targets.append(function &+ UInt(index) &+ 5 &+ offset)
        }
        #elseif arch(arm64)
        for index in stride(from: 0, to: most, by: 4) {
            var word: UInt32 = 0
            for byte in (0..<4).reversed() { word = word << 8 | UInt32(code[index + byte]) }
            // `b` and `bl`: a 26-bit offset in words.
            guard word & 0x7C00_0000 == 0x1400_0000 else { continue }
            let distance = Int32(bitPattern: word << 6) >> 4
            targets.append(function &+ UInt(index) &+ UInt(bitPattern: Int(distance)))
        }
        #endif
        return targets
    }
}
#endif
