#if TELLTALE_COMPILED
/// Cuts a stream of bytes into lines, wherever the pieces of the stream end.
///
/// Lines end with LF or with CR LF; neither is part of the line. It holds at most one line of the
/// limit and the last appended data: the rest of a line over the limit is discarded, and the line
/// after it is the next.
public struct LineSplitter: Sendable {
    /// The maximum length of a line without its end, in bytes.
    public var limit: Int
    private var buffer: [UInt8] = []
    private var start = 0
    /// Up to where no line end was found.
    private var scanned = 0
    /// Indicates that a line over the limit is being discarded, until its end comes.
    private var isDiscarding = false

    /// Makes a splitter.
    ///
    /// - Parameter limit: How many bytes a line may have without its end.
    public init(limit: Int) { self.limit = max(0, limit) }

    /// Indicates that no part of a line waits for its rest: required when a stream ends.
    public var isEmpty: Bool { start == buffer.count && !isDiscarding }

    /// Indicates that ``next()`` has a line to return, or an error to throw.
    ///
    /// - Complexity: O(*n*) in the bytes that were appended since the last line.
    public var hasLine: Bool {
        start < buffer.count
            && buffer.withUnsafeBytes {
                ByteScan.firstIndex(of: 0x0A, in: $0, from: scanned) != nil
            }
    }

    /// Takes the next bytes of the stream.
    ///
    /// - Parameter bytes: Any part of it.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if start > 0, start == buffer.count || start > 1 << 16 {
            // Consumed bytes are dropped once they are most of the buffer, so that many short lines
            // in one chunk do not move the rest for each of them.
            if start >= buffer.count - start {
                buffer.removeFirst(start)
                scanned -= start
                start = 0
            }
        }
        buffer.append(contentsOf: bytes)
    }

    /// Takes the next bytes of the stream.
    ///
    /// - Parameter bytes: Any part of it.
    public mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { append($0) }
    }

    /// The next whole line.
    ///
    /// - Returns: The line without its end; nil until more is appended.
    /// - Throws: A failure of the protocol for a line over the limit, once for each.
    /// - Complexity: Each byte is examined once, however small the pieces are.
    public mutating func next() throws(CommandFailure) -> [UInt8]? {
        if isDiscarding, !discardToEnd() { return nil }
        let end = buffer.withUnsafeBytes {
            ByteScan.firstIndex(of: 0x0A, in: $0, from: scanned)
        }
        scanned = end ?? buffer.count
        let stop = end ?? buffer.count
        var length = stop - start
        // A CR at the end is not counted: it belongs to the line's end, or will.
        if length > 0, buffer[stop - 1] == 0x0D { length -= 1 }
        guard length <= limit else {
            isDiscarding = true
            _ = discardToEnd()
            throw CommandFailure(
                .protocolError,
                "a line of \(end == nil ? "more than " : "")\(Quantity.count(length)) bytes, "
                    + "\(Quantity.count(limit)) are allowed",
                hint: "Ask for less at once, or send it in parts.")
        }
        guard end != nil else { return nil }
        let line = Array(buffer[start..<start + length])
        start = stop + 1
        scanned = start
        return line
    }

    /// Throws away up to the end of a line; whether the end was there.
    private mutating func discardToEnd() -> Bool {
        let end = buffer.withUnsafeBytes {
            ByteScan.firstIndex(of: 0x0A, in: $0, from: scanned)
        }
        guard let end else {
            buffer.removeAll()
            start = 0
            scanned = 0
            return false
        }
        start = end + 1
        scanned = start
        isDiscarding = false
        return true
    }
}
#endif
