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
        UnsafeRawPointer(bitPattern: word(-1))
    }

    /// How many bytes a value has.
    var size: Int { witnesses?.load(fromByteOffset: 64, as: Int.self) ?? 0 }
    /// How far one value is from the next in an array.
    var stride: Int { max(witnesses?.load(fromByteOffset: 72, as: Int.self) ?? 1, 1) }
    private var flags: UInt32 { witnesses?.load(fromByteOffset: 80, as: UInt32.self) ?? 0 }
    /// The alignment less one.
    var alignmentMask: UInt { UInt(flags & 0xFF) }
    /// Whether copying the bytes copies the value.
    var isTrivial: Bool { flags & 0x1_0000 == 0 }
    /// Whether a value fits into an existential's own three words.
    var isInline: Bool { flags & 0x2_0000 == 0 }
    private var hasEnumWitnesses: Bool { flags & 0x20_0000 != 0 }

    /// A value that a load of one machine word reads whole.
    var isPlainWord: Bool { isTrivial && size <= 8 }

    /// The number of an enum's case.
    ///
    /// - Parameter value: The bytes of a value, a copy.
    /// - Returns: nil if the type is no enum.
    func enumTag(of value: UnsafeMutableRawPointer) -> Int? {
        typealias Witness = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> UInt32
        guard hasEnumWitnesses,
            let word = witnesses?.load(fromByteOffset: 88, as: UInt.self), word != 0
        else { return nil }
        return Int(unsafeBitCast(word, to: Witness.self)(value, pointer))
    }

    /// Turns the bytes of an enum into those of its payload.
    func projectPayload(of value: UnsafeMutableRawPointer) {
        typealias Witness = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
        guard hasEnumWitnesses,
            let word = witnesses?.load(fromByteOffset: 96, as: UInt.self), word != 0
        else { return }
        unsafeBitCast(word, to: Witness.self)(value, pointer)
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

    /// Where `_getTypeByMangledNameInContext` finds the generic arguments.
    var genericArguments: UnsafeRawPointer { pointer + 16 }

    /// The class above a class.
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
#endif
