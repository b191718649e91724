#if TELLTALE_AGENT
import TelltaleSystem

/// Where in an object no reference can stand: its small numbers, what says which case an enum has, and what other
/// cases of it would carry. A number of a whole word may be an address.
///
/// An `Int?` takes nine bytes; the seven behind them have what the memory had before, and together with a zero
/// for "not nil" they look like an address.
struct DataPlaces: Sendable {
    /// Bytes of a value's data.
    private var data: [Range<UInt>] = []
    /// Where enums stand that carry something, optionals among them; the outer before the inner.
    private var enums: [(range: Range<UInt>, type: Any.Type)] = []

    private static let deepest = 8
    private static let most = 256

    /// The places of a class's objects, or of another type's values; none where the properties aren't known.
    init(of type: Any.Type) {
        if TypeMetadata(type).kind == .classType {
            add(fields: FieldCache.fields(of: type), at: 0, 0)
        } else {
            add(type, at: 0, 0)
        }
    }

    /// Whether the word so many bytes into the object or value at `start` is no reference of its own.
    func has(_ offset: UInt, in start: UInt) -> Bool {
        let word = offset..<offset &+ 8
        if data.contains(where: { $0.overlaps(word) }) { return true }
        return enums.contains { place in
            guard place.range.overlaps(word),
                let view = ValueView(
                    of: place.type, at: start &+ place.range.lowerBound, in: .process,
                    isStable: false),
                let carried = Self.carried(by: view)
            else { return false }
            return offset >= place.range.lowerBound &+ carried
        }
    }

    /// How many bytes an enum carries now; nil where that isn't known.
    private static func carried(by view: ValueView) -> UInt? {
        switch TypeShape.of(view.type) {
        case .optional(let wrapped):
            return view.isSome.map { $0 ? UInt(clamping: TypeMetadata(wrapped).size) : 0 }
        case .enumeration(let layout):
            guard let current = layout.currentCase(of: view) else { return nil }
            if !current.hasPayload { return 0 }
            if current.isIndirect { return 8 }
            return current.payload.map { UInt(clamping: TypeMetadata($0).size) }
        default: return nil
        }
    }

    private mutating func add(fields: [StoredField], at offset: UInt, _ depth: Int) {
        for field in fields where field.noncopyable == nil && field.ownership == .strong {
            guard let place = UInt(exactly: field.offset) else { continue }
            add(field.type, at: offset &+ place, depth)
        }
    }

    private mutating func add(_ type: Any.Type, at offset: UInt, _ depth: Int) {
        guard depth < Self.deepest, data.count + enums.count < Self.most else { return }
        let size = UInt(clamping: TypeMetadata(type).size)
        switch TypeShape.of(type) {
        case .scalar:
            if size < 8 { data.append(offset..<offset &+ size) }
        case .optional(let wrapped):
            // A reference that is nil is 0.
            if size > 8 { enums.append((offset..<offset &+ size, type)) }
            add(wrapped, at: offset, depth + 1)
            let inner = UInt(clamping: TypeMetadata(wrapped).size)
            if inner < size { data.append(offset &+ inner..<offset &+ size) }
        case .enumeration(let layout) where layout.cases.allSatisfy { !$0.hasPayload }:
            data.append(offset..<offset &+ size)
        case .enumeration: enums.append((offset..<offset &+ size, type))
        case .structure(let fields), .tuple(let fields): add(fields: fields, at: offset, depth + 1)
        default: return
        }
    }
}
#endif
