/// Reads the name of a module from the bytes of its `.swiftmodule`.
///
/// The file is an LLVM bitstream: the name is the first record of the control block, which is in the module's block
/// (swiftlang/swift, `lib/Serialization/ModuleFormat.h`; the encoding is LLVM's "Bitstream Container Format").
struct ModuleName {
    static let signature: [UInt8] = [0xE2, 0x9C, 0xA8, 0x0E]

    private let bytes: ArraySlice<UInt8>
    private var bit: Int

    /// The name; `nil` for bytes that are not a module.
    static func of(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.starts(with: signature) else { return nil }
        var reader = ModuleName(bytes: bytes, bit: 32)
        // At the outermost level a number has two bits.
        reader.innerWidth = 2
        guard reader.enterBlock(moduleBlock), reader.enterBlock(controlBlock) else { return nil }
        return reader.firstText(width: reader.innerWidth)
    }

    private static let moduleBlock: UInt64 = 8
    private static let controlBlock: UInt64 = 9

    private init(bytes: ArraySlice<UInt8>, bit: Int) {
        self.bytes = bytes
        self.bit = bit
    }

    private var innerWidth = 0

    private mutating func fixed(_ count: Int) -> UInt64? {
        guard count <= 64, bit + count <= bytes.count * 8 else { return nil }
        var value: UInt64 = 0
        for index in 0..<count {
            let at = bit + index
            let byte = bytes[bytes.startIndex + at / 8]
            value |= UInt64(byte >> UInt8(at % 8) & 1) << UInt64(index)
        }
        bit += count
        return value
    }

    /// A number in chunks, the highest bit of each of which says that another one follows.
    private mutating func variable(_ width: Int) -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 60, let chunk = fixed(width) {
            let high = UInt64(1) << UInt64(width - 1)
            value |= (chunk & (high - 1)) << shift
            if chunk & high == 0 { return value }
            shift += UInt64(width - 1)
        }
        return nil
    }

    private mutating func align() { bit = (bit + 31) / 32 * 32 }

    /// Goes into the next block with this id, past others.
    private mutating func enterBlock(_ wanted: UInt64) -> Bool {
        while fixed(innerWidth) == 1, let id = variable(8), let inner = variable(4) {
            align()
            guard let words = fixed(32) else { return false }
            if id == wanted {
                innerWidth = Int(inner)
                return true
            }
            bit += Int(words) * 32
        }
        return false
    }

    /// The text of the first record, behind the definitions of abbreviations.
    private mutating func firstText(width: Int) -> String? {
        while let code = fixed(width) {
            guard code == 2 else {
                guard code >= 4, let count = variable(6), count > 0, count < 4096 else {
                    return nil
                }
                align()
                let start = bytes.startIndex + bit / 8
                guard start + Int(count) <= bytes.endIndex else { return nil }
                return String(decoding: bytes[start..<(start + Int(count))], as: UTF8.self)
            }
            guard skipAbbreviation() else { return nil }
        }
        return nil
    }

    private mutating func skipAbbreviation() -> Bool {
        guard let operands = variable(5) else { return false }
        for _ in 0..<operands {
            guard let isLiteral = fixed(1) else { return false }
            if isLiteral == 1 {
                guard variable(8) != nil else { return false }
                continue
            }
            guard let encoding = fixed(3) else { return false }
            // Fixed and variable widths have their width behind them.
            if encoding == 1 || encoding == 2, variable(5) == nil { return false }
        }
        return true
    }
}
