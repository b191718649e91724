#if TELLTALE_COMPILED
/// Searches of bytes, eight at a time.
///
/// The agent is compiled without optimization, where a loop over single bytes takes some 20 ns a
/// byte; a long answer would take seconds.
enum ByteScan {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    static func firstIndex(
        of byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int
    ) -> Int? {
        let wanted = UInt64(byte) &* ones
        var offset = start
        while bytes.count - offset >= 8 {
            let found = zeroBytes(load(bytes, offset) ^ wanted)
            if found != 0 { return offset + found.trailingZeroBitCount / 8 }
            offset += 8
        }
        while offset < bytes.count {
            if bytes[offset] == byte { return offset }
            offset += 1
        }
        return nil
    }

    /// The end of a run of bytes that need no escape in a JSON string.
    ///
    /// It ends at a quote, a backslash or a control character; with `asciiOnly` also at DEL and at
    /// any byte above it.
    static func endOfPlain(
        in bytes: UnsafeRawBufferPointer, from start: Int, asciiOnly: Bool
    ) -> Int {
        var offset = start
        while bytes.count - offset >= 8 {
            let word = load(bytes, offset)
            // Each of these marks bytes wrongly only above one that it marks rightly, so the
            // lowest mark of all is right.
            var found = (word &- 0x20 &* ones) & ~word & highs
            found |= zeroBytes(word ^ (0x22 &* ones)) | zeroBytes(word ^ (0x5C &* ones))
            if asciiOnly { found |= zeroBytes(word ^ (0x7F &* ones)) | (word & highs) }
            if found != 0 { return offset + found.trailingZeroBitCount / 8 }
            offset += 8
        }
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C || (asciiOnly && byte >= 0x7F) {
                break
            }
            offset += 1
        }
        return offset
    }

    /// Returns whether all bytes are ASCII.
    static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while bytes.count - offset >= 8 {
            if load(bytes, offset) & highs != 0 { return false }
            offset += 8
        }
        while offset < bytes.count {
            if bytes[offset] >= 0x80 { return false }
            offset += 1
        }
        return true
    }

    /// Returns whether all bytes are visible ASCII; false also for other text that may be visible.
    static func isSeen(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while bytes.count - offset >= 8 {
            let word = load(bytes, offset)
            let below = (word &- 0x20 &* ones) & ~word
            if (below | word | zeroBytes(word ^ (0x7F &* ones))) & highs != 0 { return false }
            offset += 8
        }
        while offset < bytes.count {
            if bytes[offset] < 0x20 || bytes[offset] >= 0x7F { return false }
            offset += 1
        }
        return true
    }

    private static func load(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    private static func zeroBytes(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highs }
}
#endif
