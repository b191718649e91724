#if TELLTALE_AGENT
/// What a type's metadata says of its values.
///
/// Layout checked against swift-6.3.1. Only for types that the runtime gave or `MetadataCheck`
/// has let through: their records are read without a guard, since they are there for as long as their image
/// is.
struct TypeMetadata {
    /// The kinds that are told apart, as their numbers stand in the metadata.
    enum Kind: UInt {
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
    let pointer: UnsafeRawPointer

    init(_ type: Any.Type) {
        self.type = type
        pointer = unsafeBitCast(type, to: UnsafeRawPointer.self)
    }

    func word(_ index: Int) -> UInt { pointer.load(fromByteOffset: index * 8, as: UInt.self) }

    /// nil for a kind of a later runtime.
    var kind: Kind? {
        let word = word(0)
        // Above this it is the address of an Objective-C class.
        return word > 0x7FF ? .classType : Kind(rawValue: word)
    }

    private var witnesses: UnsafeRawPointer? {
        isBlock ? nil : UnsafeRawPointer(bitPattern: word(-1))
    }

    /// Whether it is the type of a C block. Without Objective-C the runtime leaves the word where its
    /// witnesses should be as it was (`FunctionCacheEntry` in `Metadata.cpp`).
    var isBlock: Bool {
        word(0) == Kind.function.rawValue && word(1) >> 16 & 0xFF == 1
    }

    /// How many bytes a value has.
    var size: Int {
        witnesses?.load(fromByteOffset: 64, as: Int.self) ?? (isBlock ? 8 : 0)
    }
    /// How far one value is from the next in an array.
    var stride: Int {
        max(witnesses?.load(fromByteOffset: 72, as: Int.self) ?? (isBlock ? 8 : 1), 1)
    }
    private var flags: UInt32 {
        // One that is no value of a plain type.
        witnesses?.load(fromByteOffset: 80, as: UInt32.self) ?? (isBlock ? 0x1_0007 : 0)
    }
    /// The alignment less one.
    var alignmentMask: UInt { UInt(flags & 0xFF) }
    /// Whether copying the bytes copies the value.
    var isTrivial: Bool { flags & 0x1_0000 == 0 }
    /// Whether a value fits into an existential's own three words.
    var isInline: Bool { flags & 0x2_0000 == 0 }
    private var hasEnumWitnesses: Bool { flags & 0x20_0000 != 0 }
    /// Whether a value can't be copied.
    var isNoncopyable: Bool { flags & 0x80_0000 != 0 }

    /// A value that a load of one machine word reads whole.
    var isPlainWord: Bool { isTrivial && size <= 8 }

    /// Where a value lies behind a header of so many bytes.
    func offset(behind header: UInt) -> UInt { (header &+ alignmentMask) & ~alignmentMask }

    /// One of an enum's own value witnesses; nil if the type is no enum.
    private func enumWitness<Witness>(at offset: Int, _: Witness.Type) -> Witness? {
        guard hasEnumWitnesses,
            let word = witnesses?.load(fromByteOffset: offset, as: UInt.self), word != 0
        else { return nil }
        return unsafeBitCast(word, to: Witness.self)
    }

    /// Whether values have a case that the type's own witness tells.
    var hasTag: Bool {
        guard hasEnumWitnesses, let word = witnesses?.load(fromByteOffset: 88, as: UInt.self)
        else { return false }
        return word != 0
    }

    /// The number of an enum's case, of a copy of a value's bytes; nil if the type is no enum.
    func enumTag(of value: UnsafeMutableRawPointer) -> Int? {
        typealias Witness = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> UInt32
        return enumWitness(at: 88, Witness.self).map { Int($0(value, pointer)) }
    }

    /// Turns the bytes of an enum into those of its payload.
    func projectPayload(of value: UnsafeMutableRawPointer) {
        typealias Witness = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
        enumWitness(at: 96, Witness.self)?(value, pointer)
    }

    /// Turns the bytes of a payload into those of an enum (`destructiveInjectEnumTag`); false, and
    /// nothing is changed, if the type is no enum.
    func injectTag(_ tag: Int, into value: UnsafeMutableRawPointer) -> Bool {
        kind == .enumeration && writeTag(tag, into: value)
    }

    /// The same, and also of an optional.
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
    var descriptor: TypeDescriptor? {
        switch kind {
        case .classType: TypeDescriptor(address: word(5))
        case .structure, .enumeration, .optional: TypeDescriptor(address: word(1))
        default: nil
        }
    }

    /// A generic argument of a struct or an enum.
    func argument(_ index: Int) -> Any.Type? {
        guard kind != .classType else { return nil }
        let word = word(2 + index)
        return word == 0 ? nil : unsafeBitCast(word, to: Any.Type.self)
    }

    /// A generic argument of a class, whose superclass is not one that may grow (`swift/ABI/Metadata.h`: a
    /// class's own words are its last ones, and its arguments come first among them); nil where there is no
    /// type.
    func classArgument(_ index: Int) -> Any.Type? {
        guard kind == .classType, let descriptor else { return nil }
        let isResilient = descriptor.pointer.load(as: UInt32.self) & (1 << 29) != 0
        let words = descriptor.pointer.load(fromByteOffset: 28, as: UInt32.self)
        let own = descriptor.pointer.load(fromByteOffset: 32, as: UInt32.self)
        guard !isResilient, words < 4096, own <= words, index < own else { return nil }
        return MetadataCheck.type(at: word(Int(words - own) + index))
    }

    /// Where `_getTypeByMangledNameInContext` finds the generic arguments.
    var genericArguments: UnsafeRawPointer { pointer + 16 }

    var superclass: Any.Type? {
        guard kind == .classType else { return nil }
        let word = word(1)
        return word == 0 ? nil : unsafeBitCast(word, to: Any.Type.self)
    }

    /// How many bytes an instance of a class has, with its header.
    var instanceSize: Int {
        let size = Int(pointer.load(fromByteOffset: 24, as: UInt32.self))
        let front = Int(pointer.load(fromByteOffset: 20, as: UInt32.self))
        return size - front
    }
}

/// The record that a compiler writes for a nominal type, and its list of fields or cases.
///
/// Layout checked against swift-6.3.1. Descriptors are constants of an image.
struct TypeDescriptor: Hashable, @unchecked Sendable {  // what it points to is constant
    let pointer: UnsafeRawPointer

    init?(address: UInt) {
        guard let pointer = UnsafeRawPointer(bitPattern: address) else { return nil }
        self.pointer = pointer
    }

    /// Whether the type, or one around it, has generic parameters.
    var isGeneric: Bool { pointer.load(as: UInt32.self) & 0x80 != 0 }

    /// The metadata of a type that isn't generic, as the program's own code asks for it.
    var metadata: Any.Type? {
        guard !isGeneric, let access = Self.target(of: pointer + 12)
        else { return nil }
        typealias Access = @convention(c) (UInt) -> UInt
        let address = unsafeBitCast(access, to: Access.self)(0)
        return address == 0 ? nil : unsafeBitCast(address, to: Any.Type.self)
    }

    /// Where the generic arguments of a class stand; nil where its superclass's size is not known here.
    func arguments(of metadata: TypeMetadata) -> UnsafeRawPointer? {
        let flags = pointer.load(as: UInt32.self) >> 16
        // Bit 12: before the metadata; bit 13: a resilient superclass.
        guard flags & 0x3000 == 0 else { return nil }
        let words = Int(pointer.load(fromByteOffset: 28, as: UInt32.self))
        let own = Int(pointer.load(fromByteOffset: 32, as: UInt32.self))
        return words >= own ? metadata.pointer + (words - own) * 8 : nil
    }

    /// One stored property or one case.
    struct Record {
        let name: String
        /// The mangled type; nil for a case without payload.
        let mangled: UnsafeRawBufferPointer?
        let isIndirect: Bool
        /// Whether it may be set again; of a property.
        let isVariable: Bool

        /// Whether its type is made from that of a C block: the runtime ends the process when it is asked
        /// for one, since that has no size (measured with `Mirror`, swift-6.3.1).
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

    /// More records than this are not read: something else stands there.
    static let mostRecords = 65_536

    /// Whether the compiler was told to leave the records out.
    var lacksRecords: Bool {
        pointer.load(fromByteOffset: 16, as: Int32.self) == 0
    }

    /// The records in the order of declaration; an enum's cases in the order of their tags.
    var records: [Record] {
        Self.target(of: pointer + 16).map(Self.records) ?? []
    }

    /// Those of a list of fields.
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

    /// A mangled name up to its zero; references of four or eight bytes stand in it.
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
