#if TELLTALE_AGENT
import TelltaleRuntime

/// The verdict on bytes that were read as a value: whether a value made from them may be passed to code of
/// the host's.
///
/// The bytes may be anything: another thread may be writing them, or the memory may no longer hold a value of
/// the type. Plain values contain only numbers, and every number is valid for its type.
enum PlainValue {
    case plain
    /// A part of the value refers to memory, or the runtime doesn't describe its contents.
    case refers
    /// The bytes are not a value of the type.
    case none

    /// The maximum number of elements of an inline array that are checked.
    private static let mostElements = 4096

    init(_ view: ValueView) {
        guard TypeMetadata(view.type).isTrivial else {
            self = .refers
            return
        }
        switch TypeShape.of(view.type) {
        case .scalar(let kind): self = Self.scalar(kind, view)
        case .optional(let wrapped):
            self =
                switch view.isSome {
                case nil: .none
                case false?: .plain
                case true?: PlainValue(view.part(type: wrapped))
                }
        case .enumeration(let layout): self = Self.enumeration(layout, view)
        case .structure(let fields), .tuple(let fields): self = Self.parts(fields, view)
        case .range(let bound, _):
            self = Self.parts(FieldCache.fields(of: view.type), view)
            if bound == Int.self, let low = view.load(Int.self),
                let high = view.load(Int.self, at: 8), low > high
            {
                self = .none
            }
        case .inlineArray(let count, let element):
            let stride = TypeMetadata(element).stride
            self =
                count > Self.mostElements
                ? .refers
                : Self.all((0..<count).lazy.map { view.part(at: $0 &* stride, type: element) })
        case .opaque, .string, .substring, .character, .staticString, .array, .slice,
            .dictionary,
            .set, .anyHashable, .object, .existential, .metatype, .function, .mutex, .atomic,
            .lazyReference, .deque:
            self = TypeMetadata(view.type).size == 0 ? .plain : .refers
        }
    }

    private static func scalar(_ kind: ScalarKind, _ view: ValueView) -> PlainValue {
        switch kind {
        case .bool: (view.load(UInt8.self) ?? 2) <= 1 ? .plain : .none
        case .unicodeScalar:
            view.load(UInt32.self).flatMap(Unicode.Scalar.init) == nil ? .none : .plain
        case .pointer: .refers
        case .number: .plain
        }
    }

    private static func enumeration(_ layout: EnumLayout, _ view: ValueView) -> PlainValue {
        guard let current = layout.currentCase(of: view) else { return .none }
        guard current.hasPayload else { return .plain }
        return layout.payload(of: view, case: current).map(PlainValue.init) ?? .refers
    }

    private static func parts(_ fields: [StoredField], _ view: ValueView) -> PlainValue {
        guard !fields.isEmpty || TypeMetadata(view.type).size == 0,
            fields.allSatisfy({ $0.ownership == .strong && !$0.isNoncopyable })
        else { return .refers }
        return all(fields.lazy.map { view.part(at: $0.offset, type: $0.type) })
    }

    private static func all(_ parts: some Sequence<ValueView>) -> PlainValue {
        var result = PlainValue.plain
        for part in parts {
            switch PlainValue(part) {
            case .plain: break
            case .none: result = .none
            case .refers: return .refers
            }
        }
        return result
    }
}
#endif
