#if TELLTALE_AGENT
import Synchronization
import TelltaleSystem

/// The way in which the values of a type are read; cached for each type.
package indirect enum TypeShape: Sendable {
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
    /// The pending elements of a stream.
    case deque(element: Any.Type)
    /// A lock's word, and the offset of the guarded value after it.
    case mutex(value: Any.Type, offset: Int)
    case atomic(value: Any.Type)
    /// A reference that is set once, or 0.
    case lazyReference(Any.Type)
    case metatype
    case function
    case opaque

    static let cache = TypeCache<TypeShape>()

    package static func of(_ type: Any.Type) -> TypeShape { cache.value(of: type, make) }

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
        guard let first = metadata.argument(0), let descriptor = metadata.descriptor,
            let family = families[descriptor]
        else {
            if isDeque(type), let element = metadata.argument(0) { return .deque(element: element) }
            return .structure(FieldCache.fields(of: type))
        }
        return family(first, metadata.argument(1)) ?? .opaque
    }

    // Compared by name, because the type isn't public.
    private static func isDeque(_ type: Any.Type) -> Bool {
        _typeName(type, qualified: true).hasPrefix("Swift._Deque<")
            || _typeName(type, qualified: true).hasPrefix("_Concurrency._Deque<")
    }

    /// Makes the shape of a generic type of the standard library from its generic arguments.
    private typealias Family = @Sendable (Any.Type, Any.Type?) -> TypeShape?

    /// Adds the SIMD vectors: their lanes are contiguous, and those with three lanes have memory for a
    /// fourth.
    private static func addVectors(_ add: (Any.Type, @escaping Family) -> Void) {
        let samples: [(Any.Type, Int)] = [
            (SIMD2<Int>.self, 2), (SIMD3<Int>.self, 3), (SIMD4<Int>.self, 4), (SIMD8<Int>.self, 8),
            (SIMD16<Int>.self, 16), (SIMD32<Int>.self, 32), (SIMD64<Int>.self, 64),
        ]
        for (sample, count) in samples {
            add(sample) { scalar, _ in .inlineArray(count: count, element: scalar) }
        }
    }

    private static let families: [TypeDescriptor: Family] = {
        var table: [TypeDescriptor: Family] = [:]
        func add(_ sample: Any.Type, _ family: @escaping Family) {
            if let descriptor = TypeMetadata(sample).descriptor { table[descriptor] = family }
        }
        for type in [[Int].self, ContiguousArray<Int>.self] as [Any.Type] {
            add(type) { first, _ in .array(element: first) }
        }
        add(ArraySlice<Int>.self) { first, _ in .slice(element: first) }
        add(Set<Int>.self) { first, _ in .set(element: first) }
        // The keys are a view of the dictionary's storage.
        add([Int: Int].Keys.self) { key, _ in .set(element: key) }
        add([Int: Int].self) { key, value in value.map { .dictionary(key: key, value: $0) } }
        add(Range<Int>.self) { first, _ in .range(bound: first, separator: "..<") }
        add(ClosedRange<Int>.self) { first, _ in .range(bound: first, separator: "...") }
        for type in [UnsafePointer<Int>.self, UnsafeMutablePointer<Int>.self] as [Any.Type] {
            add(type) { _, _ in .scalar(.pointer) }
        }
        add(MutexLayout.type(of: Mutex<Int>.self)) { value, _ in
            guard MutexLayout.isKnown else { return nil }
            let header = TypeMetadata(value).offset(behind: MutexLayout.header)
            return .mutex(value: value, offset: Int(header))
        }
        add(MutexLayout.type(of: Atomic<Int>.self)) { value, _ in .atomic(value: value) }
        add(MutexLayout.type(of: AtomicLazyReference<MemoryBlock>.self)) { value, _ in
            .lazyReference(value)
        }
        addVectors(add)
        add(InlineArray<1, Int>.self) { count, element in
            // The first argument is a number and not a type.
            let count = unsafeBitCast(count, to: Int.self)
            return element.map { .inlineArray(count: count, element: $0) }
        }
        return table
    }()
}
#endif
