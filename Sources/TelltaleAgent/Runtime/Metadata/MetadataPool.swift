#if TELLTALE_AGENT
import TelltaleSystem

/// The blocks in which the Swift runtime keeps the metadata of generic types (`MetadataAllocator` of
/// swift-6.3.1): they refer to no object of a program's, and the rest of each is whatever its memory had
/// before, other metadata's neighbours among it.
enum MetadataPool {
    /// What the runtime asks the C library for at a time.
    private static let size = 16 * 1024
    /// One alone may be there by chance, or be left over.
    private static let least = 3

    /// Whether the block of so many bytes at `start` is one of these. One of another size isn't read.
    static func contains(_ start: UInt, size: Int, _ images: LoadedImages) -> Bool {
        guard size >= Self.size, size < Self.size + 16 else { return false }
        return withUnsafeTemporaryAllocation(of: UInt.self, capacity: Self.size / 8) { words in
            guard GuardedMemory.read(address: start, into: UnsafeMutableRawBufferPointer(words))
            else { return false }
            // The kind of a structure or an enumeration is followed by what describes it, in an image.
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
