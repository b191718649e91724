#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// The images whose types are kept by their addresses, so that what is kept of one that has been
/// unloaded is forgotten before another type is taken for it.
///
/// Metadata on the heap (of generic types) is told by its descriptor, which is in an image.
enum TypeImages {
    private static let marks = Locked<[UInt: UInt64]>([:])

    /// Says that something is kept of a type.
    static func keeps(_ type: Any.Type) {
        let metadata = TypeMetadata(type)
        keeps(address: UInt(bitPattern: metadata.pointer))
        if let descriptor = metadata.descriptor {
            keeps(address: UInt(bitPattern: descriptor.pointer))
        }
    }

    private static func keeps(address: UInt) {
        let start = ctelltale_image_start(address)
        guard start != 0, marks.withLock({ $0[start] == nil }) else { return }
        let mark = ctelltale_image_mark(start)
        marks.withLock { $0[start] = mark }
    }

    /// Forgets what is kept of types if an image of theirs is not what it was. To be called before a
    /// reading: 1 us for each image.
    ///
    /// - Returns: Whether anything was forgotten.
    @discardableResult
    static func check() -> Bool {
        let known = marks.withLock { $0 }
        guard known.contains(where: { ctelltale_image_mark($0.key) != $0.value }) else {
            return false
        }
        // The marks first: what is found meanwhile is kept again, with its image.
        marks.withLock { $0 = [:] }
        MetadataCheck.forget()
        FieldCache.forget()
        TypeShape.forget()
        TypeNames.forget()
        return true
    }
}
#endif
