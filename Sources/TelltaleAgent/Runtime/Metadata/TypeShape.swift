#if TELLTALE_AGENT
import TelltaleSystem

/// How the values of a type are read; found out once for each type.
indirect enum TypeShape: Sendable {
    case scalar(ScalarKind)
    case string, substring, character, staticString
    case array(element: Any.Type)
    case slice(element: Any.Type)
    case inlineArray(count: Int, element: Any.Type)
    case dictionary(key: Any.Type, value: Any.Type)
    case set(element: Any.Type)
    case range(bound: Any.Type, separator: String)
    case anyHashable
    case optional(wrapped: Any.Type)
    case enumeration(EnumLayout)
    case structure([StoredField])
    case tuple([StoredField])
    case object
    case existential(ExistentialLayout)
    case metatype
    case function
    case opaque

    private static let known = Locked<[ObjectIdentifier: TypeShape]>([:])
    private static let capacity = 16_384

    /// The shape of a type.
    ///
    /// - Parameter type: Any type of the runtime's.
    /// - Returns: Its shape.
    static func of(_ type: Any.Type) -> TypeShape {
        let key = ObjectIdentifier(type)
        if let shape = known.withLock({ $0[key] }) { return shape }
        let shape = make(type)
        TypeImages.keeps(type)
        known.withLock { if $0.count < capacity { $0[key] = shape } }
        return shape
    }

    /// Has every type's shape found out anew.
    static func forget() { known.withLock { $0 = [:] } }

    private static func make(_ type: Any.Type) -> TypeShape {
        let metadata = TypeMetadata(type)
        switch metadata.kind {
        case .classType: return .object
        case .structure: return structure(type, metadata)
        case .optional: return metadata.argument(0).map { .optional(wrapped: $0) } ?? .opaque
        case .enumeration:
            let layout = EnumLayout(of: type)
            return layout.cases.isEmpty ? .opaque : .enumeration(layout)
        case .tuple: return .tuple(FieldCache.fields(of: type))
        case .existential, .extendedExistential:
            return ExistentialLayout(of: type).map { .existential($0) } ?? .opaque
        case .metatype, .existentialMetatype: return .metatype
        case .function: return .function
        case .fixedArray:
            guard metadata.word(2) != 0 else { return .opaque }
            return .inlineArray(
                count: Int(bitPattern: metadata.word(1)),
                element: unsafeBitCast(metadata.word(2), to: Any.Type.self))
        case .foreignClass, .foreignReference, .opaque, nil: return .opaque
        }
    }

    private static func structure(_ type: Any.Type, _ metadata: TypeMetadata) -> TypeShape {
        if let kind = ScalarKind.of(type) { return .scalar(kind) }
        if type == String.self { return .string }
        if type == Substring.self { return .substring }
        if type == Character.self { return .character }
        if type == StaticString.self { return .staticString }
        if type == AnyHashable.self { return .anyHashable }
        guard let family = StandardFamily.of(metadata), let first = metadata.argument(0) else {
            return .structure(FieldCache.fields(of: type))
        }
        switch family {
        case .array: return .array(element: first)
        case .slice: return .slice(element: first)
        case .set: return .set(element: first)
        case .dictionary:
            return metadata.argument(1).map { .dictionary(key: first, value: $0) } ?? .opaque
        case .range: return .range(bound: first, separator: "..<")
        case .closedRange: return .range(bound: first, separator: "...")
        case .pointer: return .scalar(.pointer)
        case .inlineArray:
            let count = Int(bitPattern: metadata.word(2))
            return metadata.argument(1).map { .inlineArray(count: count, element: $0) }
                ?? .opaque
        }
    }
}

/// The generic types of the standard library that are read by their storage.
enum StandardFamily {
    case array, slice, set, dictionary, range, closedRange, pointer, inlineArray

    private static let table: [TypeDescriptor: StandardFamily] = {
        let samples: [(any Any.Type, StandardFamily)] = [
            ([Int].self, .array), (ContiguousArray<Int>.self, .array),
            (ArraySlice<Int>.self, .slice), (Set<Int>.self, .set),
            ([Int: Int].self, .dictionary), (Range<Int>.self, .range),
            (ClosedRange<Int>.self, .closedRange), (UnsafePointer<Int>.self, .pointer),
            (UnsafeMutablePointer<Int>.self, .pointer),
        ]
        var table: [TypeDescriptor: StandardFamily] = [:]
        for (type, family) in samples {
            if let descriptor = TypeMetadata(type).descriptor { table[descriptor] = family }
        }
        let inline = TypeMetadata(InlineArray<1, Int>.self).descriptor
        if let inline { table[inline] = .inlineArray }
        return table
    }()

    static func of(_ metadata: TypeMetadata) -> StandardFamily? {
        metadata.descriptor.flatMap { table[$0] }
    }
}
#endif
