#if TELLTALE_AGENT
/// The layout of a type's values, according to its metadata.
///
/// Layout checked against swift-6.3.1. Only for types that the runtime returned or `MetadataCheck`
/// accepted: their records are read without a guard, because they exist while their image is loaded.
package struct TypeMetadata {
    /// The kinds of types that are distinguished, with the runtime's numbers.
    package enum Kind: UInt {
        case classType = 0
        case structure = 0x200
        case enumeration = 0x201
        case optional = 0x202
        case foreignClass = 0x203
        case foreignReference = 0x204
        case opaque = 0x300
        case tuple = 0x301
        case function = 0x302
        case existential = 0x303
        case metatype = 0x304
        case existentialMetatype = 0x306
        case extendedExistential = 0x307
        case fixedArray = 0x308
    }

    let type: Any.Type
    package let pointer: UnsafeRawPointer

    package init(_ type: Any.Type) {
        self.type = type
        pointer = unsafeBitCast(type, to: UnsafeRawPointer.self)
    }

    package func word(_ index: Int) -> UInt {
        pointer.load(fromByteOffset: index * 8, as: UInt.self)
    }

    /// nil for a kind of a later runtime.
    package var kind: Kind? {
        let word = word(0)
        // A larger value is the address of an Objective-C class.
        return word > 0x7FF ? .classType : Kind(rawValue: word)
    }

    private var witnesses: UnsafeRawPointer? {
        isBlock ? nil : UnsafeRawPointer(bitPattern: word(-1))
    }

    /// True for the type of a C block. Without Objective-C, the runtime leaves the word of its witnesses
    /// uninitialised (`FunctionCacheEntry` in `Metadata.cpp`).
    var isBlock: Bool {
        word(0) == Kind.function.rawValue && word(1) >> 16 & 0xFF == 1
    }

    /// The size of a value in bytes.
    package var size: Int {
        witnesses?.load(fromByteOffset: 64, as: Int.self) ?? (isBlock ? 8 : 0)
    }
    /// The distance between consecutive values in an array.
    package var stride: Int {
        max(witnesses?.load(fromByteOffset: 72, as: Int.self) ?? (isBlock ? 8 : 1), 1)
    }
    private var flags: UInt32 {
        // A block is not trivial, and is aligned to eight bytes.
        witnesses?.load(fromByteOffset: 80, as: UInt32.self) ?? (isBlock ? 0x1_0007 : 0)
    }
    /// The alignment minus one.
    package var alignmentMask: UInt { UInt(flags & 0xFF) }
    /// True if copying the bytes copies the value (trivial, POD).
    package var isTrivial: Bool { flags & 0x1_0000 == 0 }
    /// True if a value fits into the three words of an existential.
    var isInline: Bool { flags & 0x2_0000 == 0 }
    private var hasEnumWitnesses: Bool { flags & 0x20_0000 != 0 }
    /// True if the type is noncopyable.
    package var isNoncopyable: Bool { flags & 0x80_0000 != 0 }

    /// True for a trivial value that one load of a machine word reads completely.
    package var isPlainWord: Bool { isTrivial && size <= 8 }

    /// Returns the offset of a value after a header of `header` bytes.
    package func offset(behind header: UInt) -> UInt { (header &+ alignmentMask) & ~alignmentMask }

    /// Returns one of an enum's own value witnesses; nil if the type is not an enum.
    private func enumWitness<Witness>(at offset: Int, _: Witness.Type) -> Witness? {
        guard hasEnumWitnesses,
            let word = witnesses?.load(fromByteOffset: offset, as: UInt.self), word != 0
        else { return nil }
        return unsafeBitCast(word, to: Witness.self)
    }

    /// The function that reads the case of a value (`getEnumTag`), and takes the type's metadata too.
    package typealias TagWitness =
        @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> UInt32
    /// The function that turns the bytes of an enum into those of its payload
    /// (`destructiveProjectEnumData`).
    package typealias ProjectWitness =
        @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void

    /// nil if the type is not an enum.
    package var tagWitness: TagWitness? { enumWitness(at: 88, TagWitness.self) }
    package var projectWitness: ProjectWitness? { enumWitness(at: 96, ProjectWitness.self) }

    /// Returns the number of a value's case, from a copy of its bytes; nil if the type is not an enum.
    package func enumTag(of value: UnsafeMutableRawPointer) -> Int? {
        tagWitness.map { Int($0(value, pointer)) }
    }

    /// Turns the bytes of an enum into those of its payload.
    func projectPayload(of value: UnsafeMutableRawPointer) { projectWitness?(value, pointer) }

    /// Turns the bytes of a payload into those of an enum (`destructiveInjectEnumTag`). Returns false,
    /// without a change, if the type is not an enum.
    func injectTag(_ tag: Int, into value: UnsafeMutableRawPointer) -> Bool {
        kind == .enumeration && writeTag(tag, into: value)
    }

    /// Does the same, also for an optional.
    func writeTag(_ tag: Int, into value: UnsafeMutableRawPointer) -> Bool {
        typealias Witness =
            @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void
        guard let inject = enumWitness(at: 104, Witness.self) else {
            return false
        }
        inject(value, UInt32(clamping: tag), pointer)
        return true
    }

    /// The context descriptor of a nominal type.
    package var descriptor: TypeDescriptor? {
        switch kind {
        case .classType: TypeDescriptor(address: word(5))
        case .structure, .enumeration, .optional: TypeDescriptor(address: word(1))
        default: nil
        }
    }

    /// Returns a generic argument of a struct or an enum.
    package func argument(_ index: Int) -> Any.Type? {
        guard kind != .classType else { return nil }
        let word = word(2 + index)
        return word == 0 ? nil : unsafeBitCast(word, to: Any.Type.self)
    }

    /// Returns a generic argument of a class without a resilient superclass; nil if there is no such type.
    /// In `swift/ABI/Metadata.h`, a class's own words are the last ones of its metadata, and its generic
    /// arguments come first among them.
    package func classArgument(_ index: Int) -> Any.Type? {
        guard kind == .classType, let descriptor else { return nil }
        let isResilient = descriptor.pointer.load(as: UInt32.self) & (1 << 29) != 0
        let words = descriptor.pointer.load(fromByteOffset: 28, as: UInt32.self)
        let own = descriptor.pointer.load(fromByteOffset: 32, as: UInt32.self)
        guard !isResilient, words < 4096, own <= words, index < own else { return nil }
        return MetadataCheck.type(at: word(Int(words - own) + index))
    }

    /// The generic arguments, for `_getTypeByMangledNameInContext`.
    var genericArguments: UnsafeRawPointer { pointer + 16 }

    package var superclass: Any.Type? {
        guard kind == .classType else { return nil }
        let word = word(1)
        return word == 0 ? nil : unsafeBitCast(word, to: Any.Type.self)
    }

    /// A type and, of a class, its superclasses, the most derived one first.
    package static func lineage(of type: Any.Type) -> [Any.Type] {
        var all = [type]
        // Ends at a chain that is a cycle.
        while let next = TypeMetadata(all[all.count - 1]).superclass, all.count < 256 {
            all.append(next)
        }
        return all
    }

    /// The size of an instance of a class in bytes, including its header.
    package var instanceSize: Int {
        let size = Int(pointer.load(fromByteOffset: 24, as: UInt32.self))
        let front = Int(pointer.load(fromByteOffset: 20, as: UInt32.self))
        return size - front
    }
}

/// The compiler's description of a nominal type, and its list of fields or cases.
///
/// Layout checked against swift-6.3.1. Descriptors are constants of an image.
package struct TypeDescriptor: Hashable, @unchecked Sendable {  // points to constant data
    package let pointer: UnsafeRawPointer

    init?(address: UInt) {
        guard let pointer = UnsafeRawPointer(bitPattern: address) else { return nil }
        self.pointer = pointer
    }

    /// True if the type, or an enclosing type, has generic parameters.
    var isGeneric: Bool { pointer.load(as: UInt32.self) & 0x80 != 0 }

    /// The metadata of a non-generic type, requested from its accessor as the program's own code does.
    package var metadata: Any.Type? {
        guard !isGeneric, let access = Self.target(of: pointer + 12)
        else { return nil }
        typealias Access = @convention(c) (UInt) -> UInt
        let address = unsafeBitCast(access, to: Access.self)(0)
        return address == 0 ? nil : unsafeBitCast(address, to: Any.Type.self)
    }

    /// The address of a class's generic arguments; nil if the size of its superclass is not known here.
    func arguments(of metadata: TypeMetadata) -> UnsafeRawPointer? {
        let flags = pointer.load(as: UInt32.self) >> 16
        // Bit 12: they precede the metadata. Bit 13: a resilient superclass.
        guard flags & 0x3000 == 0 else { return nil }
        let words = Int(pointer.load(fromByteOffset: 28, as: UInt32.self))
        let own = Int(pointer.load(fromByteOffset: 32, as: UInt32.self))
        return words >= own ? metadata.pointer + (words - own) * 8 : nil
    }

    /// One stored property or one case.
    package struct Record {
        package let name: String
        /// The mangled type; nil for a case without payload.
        let mangled: UnsafeRawBufferPointer?
        let isIndirect: Bool
        /// True for a property that can be set again.
        let isVariable: Bool

        /// True if the type involves a C block. The runtime aborts the process if it is asked for such a
        /// type, because that has no size (measured with `Mirror`, swift-6.3.1).
        var isMadeFromBlock: Bool {
            guard let mangled, mangled.count > 2 else { return false }
            var index = 0
            while index < mangled.count - 2 {
                switch mangled[index] {
                case 0x01...0x17: index += 5
                case 0x18...0x1F: index += 9
                case UInt8(ascii: "X") where mangled[index + 1] == UInt8(ascii: "B"): return true
                default: index += 1
                }
            }
            return false
        }
    }

    /// The maximum number of records; a larger count means that this is not a descriptor.
    static let mostRecords = 65_536

    /// True if the compiler was told to omit the records.
    var lacksRecords: Bool {
        pointer.load(fromByteOffset: 16, as: Int32.self) == 0
    }

    /// The records in the order of declaration; an enum's cases in the order of their tags.
    package var records: [Record] {
        Self.target(of: pointer + 16).map(Self.records) ?? []
    }

    /// Returns the records of a list of fields.
    static func records(at fields: UnsafeRawPointer) -> [Record] {
        let size = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
        let count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
        guard size >= 12, count <= mostRecords else { return [] }
        return (0..<count).map { record(at: fields + 16 + $0 * size) }
    }

    private static func record(at pointer: UnsafeRawPointer) -> Record {
        let name = target(of: pointer + 8).map {
            String(cString: $0.assumingMemoryBound(to: CChar.self))
        }
        return Record(
            name: name ?? "", mangled: target(of: pointer + 4).map(mangledName),
            isIndirect: pointer.load(as: UInt32.self) & 1 != 0,
            isVariable: pointer.load(as: UInt32.self) & 2 != 0)
    }

    private static func target(of pointer: UnsafeRawPointer) -> UnsafeRawPointer? {
        let distance = pointer.load(as: Int32.self)
        return distance == 0 ? nil : pointer + Int(distance)
    }

    /// Returns a mangled name up to its terminating zero. References of four or eight bytes can be inside
    /// it.
    static func mangledName(at start: UnsafeRawPointer) -> UnsafeRawBufferPointer {
        var end = start
        while case let byte = end.load(as: UInt8.self), byte != 0 {
            switch byte {
            case 0x01...0x17: end += 5
            case 0x18...0x1F: end += 9
            default: end += 1
            }
        }
        return UnsafeRawBufferPointer(start: start, count: end - start)
    }
}
#endif
