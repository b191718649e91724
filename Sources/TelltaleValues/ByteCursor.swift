#if TELLTALE_AGENT
/// Writes bytes one after the other. The caller has reserved room for them.
struct ByteCursor {
    private(set) var end: UnsafeMutableRawPointer?

    init(_ start: UnsafeMutableRawPointer?) { end = start }

    @inline(__always)
    private mutating func put(_ start: UnsafeRawPointer?, _ count: Int) {
        guard let start, let end, count > 0 else { return }
        end.copyMemory(from: start, byteCount: count)
        self.end = end + count
    }

    @inline(__always)
    mutating func put(_ bytes: UnsafeRawBufferPointer) { put(bytes.baseAddress, bytes.count) }

    @inline(__always)
    mutating func put(_ text: StaticString) { put(text.utf8Start, text.utf8CodeUnitCount) }

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        end?.storeBytes(of: byte, as: UInt8.self)
        end = end.map { $0 + 1 }
    }

    /// Writes a number of at most 20 digits.
    mutating func put(natural number: UInt64) {
        guard let end else { return }
        var (count, rest) = (1, number)
        while rest >= 10 {
            rest /= 10
            count &+= 1
        }
        rest = number
        for index in stride(from: count &- 1, through: 0, by: -1) {
            let digit = UInt8(truncatingIfNeeded: rest % 10) | 0x30
            end.storeBytes(of: digit, toByteOffset: index, as: UInt8.self)
            rest /= 10
        }
        self.end = end + count
    }

    mutating func put(integer number: Int64) {
        if number < 0 { put(UInt8(ascii: "-")) }
        put(natural: number.magnitude)
    }

    /// Writes an address with `0x`, at most 18 bytes.
    mutating func put(address: UInt64) {
        put("0x")
        var shift = address == 0 ? 0 : (63 &- address.leadingZeroBitCount) & ~3
        while shift >= 0 {
            let digit = UInt8(truncatingIfNeeded: address >> UInt64(shift)) & 15
            put(digit < 10 ? 0x30 &+ digit : 0x57 &+ digit)
            shift &-= 4
        }
    }
}
#endif
