#if TELLTALE_AGENT
import TelltaleSystem

/// The offsets in an object that can't contain a reference: its small numbers, the tags of enums, and the
/// payload bytes of an enum's other cases. A number of a whole word may be an address.
///
/// An `Int?` takes nine bytes. The seven bytes after them keep the previous content of the memory. Together
/// with the 0 for "not nil" they look like an address.
struct DataPlaces: Sendable {
    /// The bytes of data in a value.
    private var data: [Range<UInt>] = []
    /// The enums with a payload, including optionals; an outer enum precedes its inner ones.
    private var enums: [(range: Range<UInt>, type: Any.Type)] = []

    private static let deepest = 8
    private static let most = 256

    /// Finds the offsets for a class's objects, or for another type's values; empty if the properties
    /// aren't known.
    init(of type: Any.Type) {
        if TypeMetadata(type).kind == .classType {
            add(fields: FieldCache.fields(of: type), at: 0, 0)
        } else {
            add(type, at: 0, 0)
        }
    }

    /// Returns true if the word at an offset in the object or value at `start` is not a reference of the
    /// object's own.
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

    /// The size of an enum's current payload in bytes; nil if unknown.
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
            // A nil reference is 0.
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
