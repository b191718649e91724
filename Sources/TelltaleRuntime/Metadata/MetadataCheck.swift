#if TELLTALE_AGENT
import CTelltaleSystem
import Synchronization
package import TelltaleSystem

/// Checks that a word read from the host is a type's metadata, before it is used as metadata.
///
/// A word of a freed or half-written object can have any value. So all memory examined here is read with
/// guarded reads. A type that has passed is cached while its image is loaded.
package enum MetadataCheck {
    private static let known = Locked<Set<UInt>>([])
    /// The maximum number of cached types. A process has some thousands; further ones are checked each
    /// time.
    private static let capacity = 65_536

    /// Returns the class of an object; nil if there is no Swift object at the address. The types are those
    /// of this process, which a copy of the process has too.
    package static func classOfObject(at address: UInt, in source: MemorySource) -> Any.Type? {
        guard address > 0xFFFF, address & 7 == 0,
            let word = source.load(UInt.self, at: address), let type = type(at: word),
            TypeMetadata(type).kind == .classType
        else { return nil }
        return type
    }

    /// Returns the type whose metadata is at an address; nil if there is none.
    package static func type(at address: UInt) -> Any.Type? {
        guard address > 0xFFFF, address & 7 == 0 else { return nil }
        let isKnown = known.withLock { $0.contains(address) } || isMetadata(address)
        guard isKnown else { return nil }
        let type = unsafeBitCast(address, to: Any.Type.self)
        let isNew = known.withLock { $0.count < capacity && $0.insert(address).inserted }
        if isNew { TypeImages.keeps(type) }
        return type
    }

    /// Clears the cache, so that every type is checked again.
    static func forget() { known.withLock { $0 = [] } }

    /// The maximum nesting depth of types that are checked by their parts.
    private static let depth = 16
    /// The maximum number of parts of a tuple or a function.
    private static let mostParts = 255

    // Word -1 is the value witness table, word 0 the kind. A nominal type is checked by its descriptor,
    // which the compiler emits. The other kinds are checked by their parts, which are types again.
    private static func isMetadata(_ address: UInt, depth: Int = depth) -> Bool {
        guard depth > 0, address > 0xFFFF, address & 7 == 0,
            let block = MemoryBlock(reading: address &- 8, count: 64, in: .process),
            let kind = block.load(UInt.self, at: 8).flatMap(TypeMetadata.Kind.init)
        else { return false }
        // The type of a C block has no witnesses.
        let isBlock = kind == .function && (block.load(UInt.self, at: 16) ?? 0) >> 16 & 0xFF == 1
        guard isBlock || block.load(UInt.self, at: 0).map(isWitnessTable) == true else {
            return false
        }
        func word(_ index: Int) -> UInt {
            GuardedMemory.load(UInt.self, at: address &+ UInt(bitPattern: index * 8)) ?? 0
        }
        func isType(_ index: Int) -> Bool { isMetadata(word(index), depth: depth - 1) }
        switch kind {
        case .classType:
            guard let size = block.load(UInt32.self, at: 32),
                let classSize = block.load(UInt32.self, at: 40),
                let front = block.load(UInt32.self, at: 44)
            else { return false }
            return size >= 16 && front < classSize && word(-1) == classWitnesses
                && DescriptorCheck.isDescriptor(word(5), .classType)
        case .structure: return DescriptorCheck.isDescriptor(word(1), .structure)
        case .enumeration, .optional: return DescriptorCheck.isDescriptor(word(1), .enumeration)
        case .tuple:
            let count = Int(clamping: word(1))
            return count <= mostParts && (0..<count).allSatisfy { isType(3 + $0 * 2) }
        case .function:
            let count = Int(clamping: word(1) & 0xFFFF)
            return count <= mostParts && isType(2) && (0..<count).allSatisfy { isType(3 + $0) }
        case .metatype, .existentialMetatype: return isType(1)
        case .existential:
            let (flags, count) = (word(1) & 0xFFFF_FFFF, Int(clamping: word(1) >> 32))
            let hasSuperclass = flags & 0x4000_0000 != 0
            let first = hasSuperclass ? 3 : 2
            return count <= mostParts && (!hasSuperclass || isType(2))
                && (0..<count).allSatisfy {
                    DescriptorCheck.isDescriptor(word(first + $0) & ~1, .protocol)
                }
        case .fixedArray: return isType(2)
        case .foreignClass, .foreignReference:
            return DescriptorCheck.isDescriptor(word(1), .classType)
        // The compiler's built-in types, and the shape of `any P<Int>`, are constants.
        case .opaque: return DescriptorCheck.isInImage(address)
        case .extendedExistential: return DescriptorCheck.isInImage(word(1))
        }
    }

    /// Without Objective-C, all classes have the same witnesses.
    private static let classWitnesses = TypeMetadata(Sample.self).word(-1)
    private final class Sample {}

    private static func isWitnessTable(_ address: UInt) -> Bool {
        guard address > 0xFFFF, address & 7 == 0,
            let block = MemoryBlock(reading: address, count: 88, in: .process),
            let size = block.load(Int.self, at: 64), let stride = block.load(Int.self, at: 72),
            let flags = block.load(UInt32.self, at: 80)
        else { return false }
        return size >= 0 && stride >= 1 && stride >= size && flags & 0xFF < 128
            && stride <= 1 << 40
    }
}

/// The images whose types are cached by address. If such an image is unloaded, the caches are cleared
/// before another type at the same address could be mistaken for a cached one.
///
/// Metadata on the heap (of generic types) is tracked by its descriptor, which is in an image. The
/// program's own image and those that it was linked with are never unloaded, and declare most types: they
/// are checked once.
package enum TypeImages {
    private struct State {
        /// The marks of images that can be unloaded.
        var marks: [UInt: UInt64] = [:]
        var lasting: Set<UInt> = []

        func has(_ start: UInt) -> Bool { lasting.contains(start) || marks[start] != nil }
    }

    private static let state = Locked(State())
    private static let forgotten = Atomic(0)

    /// The number of times that the caches were cleared. Data from an earlier generation is invalid.
    package static var generation: Int { forgotten.load(ordering: .acquiring) }

    /// Records that data about a type is cached.
    static func keeps(_ type: Any.Type) {
        let metadata = TypeMetadata(type)
        keeps(address: UInt(bitPattern: metadata.pointer))
        if let descriptor = metadata.descriptor {
            keeps(address: UInt(bitPattern: descriptor.pointer))
        }
    }

    private static func keeps(address: UInt) {
        let start = ctelltale_image_start(address)
        guard start != 0, !state.withLock({ $0.has(start) }) else { return }
        let mark = ctelltale_image_is_lasting(start) ? nil : ctelltale_image_mark(start)
        state.withLock { state in
            if let mark { state.marks[start] = mark } else { state.lasting.insert(start) }
        }
    }

    /// Clears the caches if an image with cached types has changed. Must be called before each read. It
    /// takes up to 4 us for each image that can be unloaded; usually there is none.
    ///
    /// - Returns: True if the caches were cleared.
    @discardableResult
    package static func check() -> Bool {
        let known = state.withLock { $0.marks }
        guard !known.isEmpty, known.contains(where: { ctelltale_image_mark($0.key) != $0.value })
        else {
            return false
        }
        // The marks are cleared first, so that types found meanwhile are recorded again, with their images.
        state.withLock { $0.marks = [:] }
        forgotten.add(1, ordering: .acquiringAndReleasing)
        MetadataCheck.forget()
        DescriptorCheck.forget()
        FieldCache.cache.forget()
        TypeShape.cache.forget()
        TypeNames.cache.forget()
        NoncopyableField.forget()
        return true
    }
}

/// A cache of data about types; some thousands of entries.
final class TypeCache<Value: Sendable>: Sendable {
    private let known = Locked<[ObjectIdentifier: Value]>([:])
    private static var capacity: Int { 16_384 }

    /// Returns the cached value of a type, or creates it with `make`.
    func value(of type: Any.Type, _ make: (Any.Type) -> Value) -> Value {
        let key = ObjectIdentifier(type)
        if let value = known.withLock({ $0[key] }) { return value }
        let value = make(type)
        TypeImages.keeps(type)
        known.withLock { if $0.count < Self.capacity { $0[key] = value } }
        return value
    }

    /// Clears the cache, so that every type is looked up again.
    func forget() { known.withLock { $0 = [:] } }
}

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
