#if TELLTALE_AGENT
import TelltaleSystem

/// Recognises the blocks in which the Swift runtime allocates the metadata of generic types
/// (`MetadataAllocator` of swift-6.3.1). They refer to no object of the program. The unused rest of each
/// block has the previous content of its memory.
package enum MetadataPool {
    /// The size that the runtime requests from the C library for one pool.
    private static let size = 16 * 1024
    /// The minimum number of metadata records found. Fewer may be there by chance, or be left over.
    private static let least = 3

    /// Returns true if the block of `size` bytes at `start` is a metadata pool. A block of another size
    /// isn't read.
    package static func contains(_ start: UInt, size: Int, _ images: LoadedImages) -> Bool {
        guard size >= Self.size, size < Self.size + 16 else { return false }
        return withUnsafeTemporaryAllocation(of: UInt.self, capacity: Self.size / 8) { words in
            guard GuardedMemory.read(address: start, into: UnsafeMutableRawBufferPointer(words))
            else { return false }
            // The kind of a struct or an enum is followed by its descriptor, which is in an image.
            let found = (0..<words.count - 1).lazy.filter { index in
                switch TypeMetadata.Kind(rawValue: words[index]) {
                case .structure, .enumeration, .optional:
                    images.image(holding: words[index + 1]) != nil
                default: false
                }
            }
            return found.prefix(least).count == least
        }
    }
}
#endif
