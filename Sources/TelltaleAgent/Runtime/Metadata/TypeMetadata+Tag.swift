#if TELLTALE_AGENT
extension TypeMetadata {
    /// Which bytes of an enum's value say that it has a case: those that the type's own witness writes
    /// whole, whatever stood there; nil if the type is no enum.
    func bytesOfTag(_ tag: Int) -> [Bool]? {
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
