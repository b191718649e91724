#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// What a value is made of in memory: where it stands, how often it is held, and its bytes.
struct MemoryReading {
    /// What is asked for.
    struct Asked: OptionSet, Sendable {
        let rawValue: Int
        static let memory = Asked(rawValue: 1)
        static let bytes = Asked(rawValue: 2)
    }

    /// More bytes of one value are not shown.
    static let mostBytes = 4096

    let walk: PathWalk
    private var session: ReadSession { walk.session }

    init(_ walk: PathWalk) { self.walk = walk }

    func detail(at place: PathWalk.Place) throws(CommandFailure) -> ValueDetail {
        var detail = ValueDetail()
        if case .masked = place { throw refused() }
        if session.limits.asked.contains(.memory) { detail.memory = try memory(at: place) }
        if session.limits.asked.contains(.bytes) { detail.bytes = try bytes(at: place) }
        return detail
    }

    private func refused() -> CommandFailure {
        CommandFailure(
            .denied, "\(session.renderedPath) is masked: nothing of it is shown",
            hint: "the host decides what is masked, by names and with TelltaleReflectable")
    }

    private func memory(at place: PathWalk.Place) throws(CommandFailure) -> ValueMemory {
        let settled = try walk.settle(place)
        if case .masked = settled { throw refused() }
        guard case .object(let address, let type) = settled else {
            throw CommandFailure(
                .unsupported,
                "\(session.renderedPath) is no object: nobody counts who refers to it",
                hint: "`show \(session.renderedPath) --bytes` shows its bytes")
        }
        if session.isSecret(type) { throw refused() }
        guard let counts = ReferenceCounts.of(address, in: session.source) else {
            throw walk.notRead()
        }
        let size = TypeMetadata(type).instanceSize
        return ValueMemory(
            address: Quantity.address(address), size: size,
            block: ReferenceCounts.block(of: address, size: size, in: session.source),
            strong: counts?.strong, unowned: counts?.unowned, weak: counts?.weak,
            hasSideTable: counts?.hasSideTable ?? false)
    }

    // MARK: Bytes

    private func bytes(at place: PathWalk.Place) throws(CommandFailure) -> ValueBytes {
        var masking = ByteMasking(session: session)
        let view: ValueView
        let count: Int
        switch place {
        case .object(let address, let type):
            return try bytes(of: address, type)
        case .spot(let spot):
            switch TypeShape.of(spot.view.type) {
            case .object, .existential(.object):
                guard case .object(let address, let type) = try walk.settle(place) else {
                    throw refused()
                }
                return try bytes(of: address, type)
            default: break
            }
            view = spot.view
            count = TypeMetadata(view.type).size
            masking.add(view)
        case .property(let planned, let object):
            let field = planned.field
            let part = object.part(at: field.offset, type: field.type)
            guard field.isNoncopyable else {
                view = part
                count = TypeMetadata(UInt.self).size
                break
            }
            count = masking.add(field, of: object)
            view = part
        case .masked: throw refused()
        case .elements, .made:
            throw CommandFailure(
                .unsupported,
                "\(session.renderedPath) is no stored value: it has no bytes of its own",
                hint: "name one element, or what it is stored in")
        }
        return try bytes(of: view, count: count, masking)
    }

    private func bytes(of address: UInt, _ type: Any.Type) throws(CommandFailure) -> ValueBytes {
        if session.isSecret(type) { throw refused() }
        guard let view = NodeMaker.instance(at: address, of: type, in: session.source) else {
            throw walk.notRead()
        }
        var masking = ByteMasking(session: session)
        masking.addFields(of: view)
        return try bytes(of: view, count: TypeMetadata(type).instanceSize, masking)
    }

    private func bytes(
        of view: ValueView, count: Int, _ masking: ByteMasking
    ) throws(CommandFailure) -> ValueBytes {
        let hidden = masking.ranges.filter { !$0.isEmpty }
        if hidden.contains(where: {
            $0.lowerBound <= view.offset && $0.upperBound >= view.offset + count
        }) {
            throw refused()
        }
        let shown = min(count, Self.mostBytes)
        guard let bytes = view.block.bytes(at: view.offset, count: shown) else {
            throw walk.notRead()
        }
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(shown * 2)
        for (index, byte) in bytes.enumerated() {
            if hidden.contains(where: { $0.contains(view.offset + index) }) {
                text += [UInt8(ascii: "-"), UInt8(ascii: "-")]
            } else {
                text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        withExtendedLifetime(view.block) {}
        return ValueBytes(size: count, hexadecimal: String(decoding: text, as: UTF8.self))
    }
}

/// Which bytes of a value belong to secrets: those of masked properties, of what a type leaves out, of what
/// an enum may carry, and a short text's own, which stand in the value itself.
struct ByteMasking {
    private let session: ReadSession
    private var maker: NodeMaker { NodeMaker(session: session) }
    private(set) var ranges: [Range<Int>] = []
    private var depth = 0

    init(session: ReadSession) { self.session = session }

    private static let deepest = 32

    private mutating func hide(_ view: ValueView, count: Int? = nil) {
        let count = count ?? TypeMetadata(view.type).size
        session.masksSomething = true
        ranges.append(view.offset..<view.offset + max(count, 0))
    }

    /// Adds what of a value is secret.
    mutating func add(_ view: ValueView) {
        guard session.masks.isActive else { return }
        guard depth < Self.deepest, ranges.count < MemoryReading.mostBytes,
            !session.isSecret(view.type)
        else { return hide(view) }
        depth += 1
        defer { depth -= 1 }
        switch TypeShape.of(view.type) {
        case .structure, .tuple, .anyHashable, .range: addFields(of: view)
        case .optional(let wrapped): add(view.part(type: wrapped))
        case .enumeration(let layout): add(view, layout)
        case .inlineArray(let count, let element):
            let stride = TypeMetadata(element).stride
            let most = MemoryReading.mostBytes / stride + 1
            for index in 0..<min(count, most) { add(view.part(at: index * stride, type: element)) }
        case .existential(let layout):
            // A small value stands in it.
            guard let content = layout.content(of: view), content.block === view.block else {
                return
            }
            add(content)
        case .mutex(let type, let offset): add(view.part(at: offset, type: type))
        case .atomic(let type): if session.isSecret(type) { hide(view) }
        case .string:
            guard let text = StringStorage.read(view, limit: 64)?.text,
                SecretURL.masking(text, isWhole: false, names: session.masks.names) != nil
            else { return }
            hide(view)
        default: break
        }
    }

    private mutating func add(_ view: ValueView, _ layout: EnumLayout) {
        for entry in layout.cases where entry.hasPayload && !entry.isIndirect {
            guard let type = entry.payload, !session.isSecret(entry, of: view.type) else {
                return hide(view)
            }
            add(view.part(type: type))
        }
    }

    /// Adds what of an object's or a struct's properties is secret.
    mutating func addFields(of view: ValueView) {
        guard session.masks.isActive else { return }
        let plan = session.plan(of: view.type)
        for field in FieldCache.fields(of: view.type) {
            guard let planned = plan.first(where: { $0.field.isSame(as: field) }),
                !planned.isMasked, !maker.isSecretInPair(planned, of: view)
            else {
                let part = view.part(at: field.offset, type: field.type)
                hide(part, count: extent(of: field, in: view.type))
                continue
            }
            if field.isNoncopyable {
                _ = add(field, of: view)
            } else if field.ownership == .strong {
                add(view.part(at: field.offset, type: field.type))
            }
        }
    }

    /// Adds what of a property is secret that can't be copied.
    ///
    /// - Returns: How many bytes it has.
    mutating func add(_ field: StoredField, of view: ValueView) -> Int {
        let place = view.part(at: field.offset, type: field.type)
        let count = extent(of: field, in: view.type)
        switch field.noncopyable?.finding {
        case .value(let type)?:
            add(place.part(type: type))
            return TypeMetadata(type).size
        case .mutex(let type, let offset)?:
            add(place.part(at: offset, type: type))
            return offset + TypeMetadata(type).size
        case .atomic(let type)?:
            if session.isSecret(type) { hide(place, count: TypeMetadata(type).size) }
            return TypeMetadata(type).size
        // What is in it nobody knows.
        case .unreadable?, nil:
            if session.masks.isActive { hide(place, count: count) }
            return count
        }
    }

    /// How many bytes a property has: where its type isn't known, up to the next one.
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
