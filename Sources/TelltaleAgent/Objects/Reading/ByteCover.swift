#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// A map of the bytes of a value that may be shown: those that belong to a property, and to no secret.
///
/// Other bytes were never written, or hold remains of earlier contents: the padding between properties, the
/// unused part of the inline buffer of an `Any`, and the payload bytes of cases other than the value's own.
///
/// Secrets are masked properties, properties that a type leaves out, possible payloads of an enum, and a text
/// that contains a secret, which may be stored in the value itself.
struct ByteCover {
    private let session: ReadSession
    private var maker: NodeMaker { NodeMaker(session: session) }
    private var hidden: [Range<Int>] = []
    private var shown: [Range<Int>] = []
    private var depth = 0
    /// The distance from a part's place in the copy that is examined to its place in the value: an enum's
    /// payload is a copy.
    private var shift = 0

    init(session: ReadSession) { self.session = session }

    private static let deepest = 32
    private static let mostRanges = MemoryReading.mostBytes

    private var isSecretive: Bool { session.masks.isActive }

    // MARK: Bytes

    /// Returns whether all bytes of a range are secret.
    func hides(_ range: Range<Int>) -> Bool {
        hidden.contains {
            !$0.isEmpty && $0.lowerBound <= range.lowerBound && $0.upperBound >= range.upperBound
        }
    }

    /// Returns for each byte of a range whether it is shown.
    func shown(in range: Range<Int>) -> [Bool] {
        var all = [Bool](repeating: false, count: range.count)
        for (ranges, isShown) in [(shown, true), (hidden, false)] {
            for part in ranges {
                for index in part.clamped(to: range) { all[index - range.lowerBound] = isShown }
            }
        }
        return all
    }

    private mutating func hide(_ view: ValueView, count: Int? = nil) {
        guard isSecretive else { return }
        session.masksSomething = true
        hidden.append(place(view, 0, count ?? TypeMetadata(view.type).size))
    }

    /// Marks bytes as belonging to a value.
    mutating func show(_ view: ValueView, at offset: Int = 0, count: Int? = nil) {
        let place = place(view, offset, count ?? TypeMetadata(view.type).size - offset)
        if let last = shown.last, last.upperBound == place.lowerBound {
            shown[shown.count - 1] = last.lowerBound..<place.upperBound
        } else if !place.isEmpty {
            shown.append(place)
        }
    }

    private func place(_ view: ValueView, _ offset: Int, _ count: Int) -> Range<Int> {
        let start = view.offset + shift + offset
        return start..<start + max(count, 0)
    }

    // MARK: Values

    /// Adds the bytes of a value.
    mutating func add(_ view: ValueView) {
        guard depth < Self.deepest, hidden.count + shown.count < Self.mostRanges,
            !(isSecretive && session.isSecret(view.type))
        else { return hide(view) }
        depth += 1
        defer { depth -= 1 }
        switch TypeShape.of(view.type) {
        // A C union: the runtime doesn't tell which of its bytes are the value's.
        case .structure(let fields) where fields.isEmpty: show(view)
        case .structure, .tuple, .anyHashable, .range: addFields(of: view)
        case .optional(let wrapped): add(view, wrapping: wrapped)
        case .enumeration(let layout): add(view, layout)
        case .inlineArray(let count, let element):
            let stride = TypeMetadata(element).stride
            let most = MemoryReading.mostBytes / stride + 1
            for index in 0..<min(count, most) { add(view.part(at: index * stride, type: element)) }
        case .existential(.opaque): addExistential(view)
        case .mutex(let type, let offset):
            show(view, count: Int(MutexLayout.header))
            add(view.part(at: offset, type: type))
        case .atomic(let type): isSecretive && session.isSecret(type) ? hide(view) : show(view)
        case .string, .substring, .staticString: holdsSecret(view) ? hide(view) : show(view)
        default: show(view, count: Self.significant(view.type))
        }
    }

    /// The number of significant bytes of a number type; `nil` for all of them.
    private static func significant(_ type: Any.Type) -> Int? {
        #if arch(x86_64)
        if type == Float80.self { return 10 }
        #endif
        return nil
    }

    private func holdsSecret(_ view: ValueView) -> Bool {
        guard isSecretive else { return false }
        let limit = session.limits.stringBytes
        let content: StringStorage.Content? =
            switch TypeShape.of(view.type) {
            // The substring's value contains its whole base string, whichever part it is.
            case .substring: StringStorage.read(view.part(at: 16, type: String.self), limit: limit)
            case .staticString: StringStorage.readStatic(view, limit: limit)
            default: StringStorage.read(view, limit: limit)
            }
        guard let content else { return true }
        return SecretURL.masking(
            content.text, isWhole: content.isWhole, names: session.masks.names) != nil
    }

    private mutating func addExistential(_ view: ValueView) {
        guard MetadataLayout.current.has(.existentials),
            let content = ExistentialLayout.opaque.content(of: view)
        else { return hide(view) }
        // The type and the witness tables.
        show(view, at: 24)
        if content.block === view.block { add(content) } else { show(view, count: 8) }
    }

    private mutating func add(_ view: ValueView, wrapping wrapped: Any.Type) {
        guard let isSome = view.isSome, !(isSecretive && session.isSecret(wrapped)) else {
            return hide(view)
        }
        showTag(isSome ? 0 : 1, of: view)
        if isSome { add(view.part(type: wrapped)) }
    }

    private mutating func add(_ view: ValueView, _ layout: EnumLayout) {
        if isSecretive {
            // The bytes left out would reveal the case.
            let isSecret = layout.cases.contains { entry in
                entry.hasPayload && !entry.isIndirect
                    && entry.payload.map {
                        session.isSecret($0) || session.isSecret(entry, of: view.type)
                    } ?? true
            }
            if isSecret { return hide(view) }
        }
        guard let tag = layout.currentTag(of: view) else { return hide(view) }
        showTag(tag, of: view)
        let current = layout.cases[tag]
        guard current.hasPayload else { return }
        if current.isIndirect { return show(view, count: 8) }
        guard let payload = layout.payload(of: view, case: current) else { return hide(view) }
        let moved = view.offset - payload.offset
        shift += moved
        add(payload)
        shift -= moved
    }

    /// Marks the bytes that encode the case of a value.
    private mutating func showTag(_ tag: Int, of view: ValueView) {
        guard TypeMetadata(view.type).size <= MemoryReading.mostBytes,
            let isWritten = TypeMetadata(view.type).bytesOfTag(tag)
        else { return }
        for (index, isWritten) in isWritten.enumerated() where isWritten {
            show(view, at: index, count: 1)
        }
    }

    // MARK: Properties

    /// Adds the properties of an object or a struct.
    mutating func addFields(of view: ValueView) {
        let plan = isSecretive ? session.plan(of: view.type) : []
        for field in FieldCache.fields(of: view.type) {
            if isSecretive {
                guard let planned = plan.first(where: { $0.field.isSame(as: field) }),
                    !planned.isMasked, !maker.isSecretInPair(planned, of: view)
                else {
                    let part = view.part(at: field.offset, type: field.type)
                    hide(part, count: extent(of: field, in: view.type))
                    continue
                }
            }
            let part = view.part(at: field.offset, type: field.type)
            if field.isNoncopyable {
                _ = add(field, of: view)
            } else if field.ownership == .strong {
                add(part)
            } else {
                show(part)
            }
        }
    }

    /// Adds a noncopyable property.
    ///
    /// - Returns: The size of the property in bytes.
    mutating func add(_ field: StoredField, of view: ValueView) -> Int {
        let place = view.part(at: field.offset, type: field.type)
        let count = extent(of: field, in: view.type)
        switch field.noncopyable?.finding {
        case .value(let type)?:
            add(place.part(type: type))
            return TypeMetadata(type).size
        case .mutex(let type, let offset)?:
            show(place, count: Int(MutexLayout.header))
            add(place.part(at: offset, type: type))
            return offset + TypeMetadata(type).size
        case .atomic(let type)?:
            let size = TypeMetadata(type).size
            show(place, count: size)
            if session.isSecret(type) { hide(place, count: size) }
            return size
        // The contents of an unreadable property are not known.
        case .unreadable?, nil:
            show(place, count: count)
            hide(place, count: count)
            return count
        }
    }

    /// The size of a property in bytes: up to the next property if its type isn't known.
    private func extent(of field: StoredField, in type: Any.Type) -> Int {
        if case .value(let type)? = field.noncopyable?.finding { return TypeMetadata(type).size }
        if case .mutex(let type, let offset)? = field.noncopyable?.finding {
            return offset + TypeMetadata(type).size
        }
        guard field.isNoncopyable || field.ownership != .strong else {
            return TypeMetadata(field.type).size
        }
        let metadata = TypeMetadata(type)
        let end = metadata.kind == .classType ? metadata.instanceSize : metadata.size
        let next = FieldCache.fields(of: type).map(\.offset).filter { $0 > field.offset }.min()
        return (next ?? end) - field.offset
    }
}
#endif
