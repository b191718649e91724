#if TELLTALE_AGENT
import TelltaleSystem

/// Reads strings from their storage, without running their code.
///
/// Layout of 64-bit platforms, checked against swift-6.3.1: two words; the top four bits of the second are
/// the form.
package enum StringStorage {
    /// The part of a string that was read.
    package struct Content {
        package var text: String
        /// The length of the whole string in UTF-8 bytes.
        package var byteCount: Int

        package var isWhole: Bool { text.utf8.count >= byteCount }
    }

    /// Reads a string, or a range of its bytes, at most `limit` bytes; nil if there is no valid string.
    package static func read(
        _ view: ValueView, bytes range: Range<Int>? = nil, limit: Int
    ) -> Content? {
        guard let first = view.word(at: 0), let second = view.word(at: 8) else { return nil }
        let form = second >> 60
        if form & 0b0010 != 0 {
            let count = Int((second >> 56) & 0xF)
            guard count <= 15 else { return nil }
            return content(count, range, limit) { start, _ in (view.block, view.offset + start) }
        }
        // A bridged Objective-C string.
        guard form & 0b0001 == 0 else { return nil }
        let count = Int(first & 0xFFFF_FFFF_FFFF)
        guard count > 0 else { return Content(text: "", byteCount: 0) }
        let object = second & 0x0FFF_FFFF_FFFF_FFFF
        let isTailAllocated = first & (1 << 60) != 0
        var start = object &+ 32
        // The bytes of a shared string are elsewhere: header, owner, start.
        if !isTailAllocated, form & 0b1000 == 0 {
            guard let address = view.source.load(UInt.self, at: object &+ 24) else { return nil }
            start = address
        }
        return content(count, range, limit, at: start, in: view.source)
    }

    private static func content(
        _ count: Int, _ range: Range<Int>?, _ limit: Int, at start: UInt,
        in source: MemorySource
    ) -> Content? {
        content(count, range, limit) { part, length in
            MemoryBlock(reading: start &+ UInt(part), count: length, in: source).map { ($0, 0) }
        }
    }

    /// The requested part of `count` bytes. `read` copies a number of bytes from an offset on, and returns
    /// their location.
    private static func content(
        _ count: Int, _ range: Range<Int>?, _ limit: Int,
        _ read: (Int, Int) -> (block: MemoryBlock, offset: Int)?
    ) -> Content? {
        let part = range?.clamped(to: 0..<count) ?? 0..<count
        // A character may be truncated at the end; up to three bytes of it are removed again.
        let length = min(part.count, max(limit, 0))
        guard let (block, offset) = read(part.lowerBound, length),
            let bytes = block.bytes(at: offset, count: length)
        else { return nil }
        let text = withExtendedLifetime(block) { prefix(bytes, isCut: length < part.count) }
        return Content(text: text, byteCount: part.count)
    }

    /// The length in bytes of a character, by its first byte.
    private static func length(of byte: UInt8) -> Int {
        switch byte {
        case 0xC0..<0xE0: 2
        case 0xE0..<0xF0: 3
        case 0xF0...: 4
        default: 1
        }
    }

    private static func prefix(_ bytes: UnsafeRawBufferPointer, isCut: Bool) -> String {
        var end = bytes.count
        if isCut, end > 0 {
            // Finds the start of the last character, and checks that it is complete.
            var start = end
            repeat { start -= 1 } while start > 0 && bytes[start] & 0xC0 == 0x80
            if end - start < length(of: bytes[start]) { end = start }
        }
        return String(decoding: bytes.prefix(end), as: UTF8.self)
    }

    /// Reads a substring: two indices, then the string that it is a part of.
    package static func readSubstring(_ view: ValueView, limit: Int) -> Content? {
        guard let start = view.word(at: 0), let end = view.word(at: 8) else { return nil }
        let from = Int(start >> 16)
        let to = Int(end >> 16)
        guard from <= to else { return nil }
        return read(view.part(at: 16, type: String.self), bytes: from..<to, limit: limit)
    }

    /// Reads a literal's string: a pointer or one scalar, the count, the flags.
    package static func readStatic(_ view: ValueView, limit: Int) -> Content? {
        guard let start = view.word(at: 0), let count = view.word(at: 8),
            let flags = view.load(UInt8.self, at: 16)
        else { return nil }
        if flags & 1 != 0 {
            guard let scalar = Unicode.Scalar(UInt32(truncatingIfNeeded: start)) else {
                return nil
            }
            let text = String(scalar)
            return Content(text: text, byteCount: text.utf8.count)
        }
        return content(Int(clamping: count), nil, limit, at: start, in: view.source)
    }
}
#endif
