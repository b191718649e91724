#if TELLTALE_AGENT
extension TypeMetadata {
    /// Returns, for each byte of an enum's value, if it determines the case: those that the type's own
    /// witness writes completely, regardless of their previous content. Nil if the type is not an enum.
    package func bytesOfTag(_ tag: Int) -> [Bool]? {
        guard let low = bytes(of: tag, over: 0), let high = bytes(of: tag, over: 0xFF) else {
            return nil
        }
        return zip(low, high).map(==)
    }

    private func bytes(of tag: Int, over byte: UInt8) -> [UInt8]? {
        withUnsafeTemporaryAllocation(byteCount: max(size, 1), alignment: 64) { room in
            for index in room.indices { room[index] = byte }
            guard let start = room.baseAddress, writeTag(tag, into: start) else { return nil }
            return Array(room.prefix(size))
        }
    }
}
#endif
