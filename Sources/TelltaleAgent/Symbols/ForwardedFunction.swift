#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import TelltaleAgentSystem

    extension Symbolicator {
        /// The functions that begin at `functions`; where one of them only hands what a closure has
        /// captured on to the closure itself, that one, which has a line.
        func bodies(of functions: [UInt], deadline: MonotonicTime) -> [ResolvedFrame] {
            var found = names(of: functions, deadline: deadline)
            var places: [(index: Int, target: UInt)] = []
            for (index, frame) in found.enumerated() {
                guard frame.symbol.flatMap(Self.withoutForwarder) != nil,
                    functions.indices.contains(index)
                else { continue }
                places += Self.targets(from: functions[index]).map { (index, $0) }
            }
            guard !places.isEmpty else { return found }
            let targets = names(of: places.map(\.target), deadline: deadline)
            for ((index, _), body) in zip(places, targets)
            where body.symbol != nil
                && body.symbol == found[index].symbol.flatMap(Self.withoutForwarder)
            {
                found[index] = body
            }
            return found
        }

        /// What a partial application's forwarder (`…TA`) forwards to.
        private static func withoutForwarder(_ symbol: String) -> String? {
            symbol.hasSuffix("TA") ? String(symbol.dropLast(2)) : nil
        }

        /// A forwarder is some instructions long.
        private static let most = 128

        // Where its calls and jumps would lead, wherever such an instruction may begin: whoever asks
        // compares the symbols.
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
                    // `b` and `bl`: 26 bits of words.
                    guard word & 0x7C00_0000 == 0x1400_0000 else { continue }
                    let distance = Int32(bitPattern: word << 6) >> 4
                    targets.append(function &+ UInt(index) &+ UInt(bitPattern: Int(distance)))
                }
            #endif
            return targets
        }
    }
#endif
