#if TELLTALE_AGENT
import TelltaleSystem

/// Reads strings by their storage, without running them.
///
/// Layout of 64-bit platforms, checked against swift-6.3.1: two words; the top four bits of the
/// second tell the form.
enum StringStorage {
    /// A string as far as it was read.
    struct Content {
        var text: String
        /// How many bytes of UTF-8 the whole string has.
        var byteCount: Int

        var isWhole: Bool { text.utf8.count >= byteCount }
    }

    /// Reads a string, or some bytes of it, `limit` of them at most; nil if no string stands there.
    static func read(
        _ view: ValueView, bytes range: Range<Int>? = nil, limit: Int
    ) -> Content? {
        guard let first = view.word(at: 0), let second = view.word(at: 8) else { return nil }
        let form = second >> 60
        if form & 0b0010 != 0 {
            let count = Int((second >> 56) & 0xF)
            guard count <= 15 else { return nil }
            return content(count, range, limit) { start, _ in (view.block, view.offset + start) }
        }
        // A bridged string of Objective-C.
        guard form & 0b0001 == 0 else { return nil }
        let count = Int(first & 0xFFFF_FFFF_FFFF)
        guard count > 0 else { return Content(text: "", byteCount: 0) }
        let object = second & 0x0FFF_FFFF_FFFF_FFFF
        let isTailAllocated = first & (1 << 60) != 0
        var start = object &+ 32
        // A shared string keeps its bytes elsewhere: header, owner, start.
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

    /// The wanted part of `count` bytes, of which `read` gives so many behind the first, and where they are.
    private static func content(
        _ count: Int, _ range: Range<Int>?, _ limit: Int,
        _ read: (Int, Int) -> (block: MemoryBlock, offset: Int)?
    ) -> Content? {
        let part = range?.clamped(to: 0..<count) ?? 0..<count
        // A character may be cut at the end; up to three bytes of it are left out again.
        let length = min(part.count, max(limit, 0))
        guard let (block, offset) = read(part.lowerBound, length),
            let bytes = block.bytes(at: offset, count: length)
        else { return nil }
        let text = withExtendedLifetime(block) { prefix(bytes, isCut: length < part.count) }
        return Content(text: text, byteCount: part.count)
    }

    /// How many bytes a character has that begins with a byte.
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
            // Where the last character begins, and whether all of it is here.
            var start = end
            repeat { start -= 1 } while start > 0 && bytes[start] & 0xC0 == 0x80
            if end - start < length(of: bytes[start]) { end = start }
        }
        return String(decoding: bytes.prefix(end), as: UTF8.self)
    }

    /// Reads a substring: two indices, then the string that it is a part of.
    static func readSubstring(_ view: ValueView, limit: Int) -> Content? {
        guard let start = view.word(at: 0), let end = view.word(at: 8) else { return nil }
        let from = Int(start >> 16)
        let to = Int(end >> 16)
        guard from <= to else { return nil }
        return read(view.part(at: 16, type: String.self), bytes: from..<to, limit: limit)
    }

    /// Reads a literal's string: a pointer or one scalar, the count, the flags.
    static func readStatic(_ view: ValueView, limit: Int) -> Content? {
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
