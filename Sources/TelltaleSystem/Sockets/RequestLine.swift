#if TELLTALE_AGENT
import CTelltaleSystem

/// A request's line in the parts by which it is known again: its head, which every request has, its number, and
/// the rest, which is what is asked for.
package struct RequestLine {
    /// What the answer begins with, too: the head and the number.
    package let head: UnsafeRawBufferPointer
    package let rest: UnsafeRawBufferPointer

    package static let head = CTELLTALE_REQUEST_HEAD

    /// Takes a line apart, of which the parts are valid as long as it is; nil of one of another form.
    package init?(_ line: UnsafeRawBufferPointer) {
        guard let start = line.assumingMemoryBound(to: UInt8.self).baseAddress else { return nil }
        let digits = ctelltale_request_id(start, line.count)
        guard digits > 0 else { return nil }
        let end = Self.headLength + digits
        head = UnsafeRawBufferPointer(rebasing: line[..<end])
        rest = UnsafeRawBufferPointer(rebasing: line[end...])
    }

    private static let headLength = head.utf8.count
    /// With the number.
    package static let longestHead = headLength + Int(CTELLTALE_REQUEST_DIGITS)

    /// Whether the rest is the one that is given.
    package func asks(_ other: [UInt8]) -> Bool {
        guard let bytes = rest.assumingMemoryBound(to: UInt8.self).baseAddress else { return false }
        return ctelltale_request_is(bytes, rest.count, other, other.count)
    }
}
#endif
