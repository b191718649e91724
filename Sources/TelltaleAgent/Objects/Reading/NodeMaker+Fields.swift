#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem
import TelltaleValues

extension NodeMaker {
    /// The node of a struct that has no known parts, or of a bare one.
    func opaque(_ view: ValueView, _ label: String?, level: Int, isBare: Bool) -> ValueNode {
        if !isBare,
            let node = walked(label, level: level, { $0.add(bare: view, level: level) })
        {
            return node
        }
        let size = TypeMetadata(view.type).size
        // A C union has no fields either.
        return ValueNode(
            label: label, type: TypeNames.name(of: view.type), kind: .opaque,
            note: FieldCache.lacksRecords(view.type)
                ? "compiled without the records of its properties"
                : "\(Quantity.count(size, "byte", "bytes")), which `--bytes` shows")
    }

    /// The path component for a property name: `0` for `.0`.
    static func step(_ name: String) -> String {
        name.hasPrefix(".") ? String(name.dropFirst()) : name
    }

    /// The node of one stored property of a value or an object.
    func child(
        _ planned: PlannedField, of view: ValueView, level: Int
    ) -> ValueNode {
        let field = planned.field
        let label = field.shownName
        if planned.isMasked || isSecretInPair(planned, of: view) {
            return masked(field.type, label)
        }
        if let noncopyable = field.noncopyable {
            return self.noncopyable(noncopyable.finding, field, of: view, level: level)
        }
        let part = view.part(at: field.offset, type: field.type)
        guard field.ownership == .strong else {
            return reference(part, field: field, label: label, level: level)
        }
        guard field.isLazy else { return node(of: part, label: label, level: level) }
        return marked(node(of: part, label: label, level: level), field, part)
    }

    /// A property's node, with a note if the property is lazy and was never read.
    func marked(_ node: ValueNode, _ field: StoredField?, _ part: ValueView) -> ValueNode {
        guard field?.isLazy == true, node.kind == .none, part.isSome == false else {
            return node
        }
        var node = node
        node.note = "lazy, not yet made"
        return node
    }

    /// The node of a weak or an unowned property.
    private func reference(
        _ part: ValueView, field: StoredField, label: String, level: Int
    ) -> ValueNode {
        guard !session.isPlain else {
            session.needsMore = true
            return unavailable(field.type, label, "not read in place")
        }
        let word = field.ownership == .weak ? "weak" : "unowned"
        if session.isSecret(field.type) { return masked(field.type, label) }
        switch Self.target(of: part, ownership: field.ownership) {
        case .object(let address)?:
            var node = object(
                at: address, declared: field.type, label: label, level: level, isBack: true)
            node.note = node.note.map { "\(word); \($0)" } ?? word
            return node
        case .gone? where field.ownership != .weak:
            return unavailable(field.type, label, "\(word); gone")
        case .gone?, ReferenceStorage.Target.none?:
            return ValueNode(
                label: label, type: TypeNames.name(of: field.type), kind: .none, text: "nil",
                note: word)
        case nil: return unavailable(field.type, label, "\(word); " + Self.changing)
        }
    }

    /// The target of a reference that isn't strong.
    static func target(
        of part: ValueView, ownership: StoredField.Ownership
    ) -> ReferenceStorage.Target? {
        guard let word = part.word() else { return nil }
        switch ownership {
        case .weak:
            return MetadataLayout.current.has(.weakReferences)
                ? ReferenceStorage.weakTarget(word, in: part.source) : nil
        case .unowned:
            return MetadataLayout.current.has(.unownedReferences)
                ? ReferenceStorage.unownedTarget(word, in: part.source) : nil
        case .strong, .unmanaged:
            return word == 0 ? ReferenceStorage.Target.none : .object(word)
        }
    }

    /// The node of the object at an address, or a node with the reason why there is none; `declared` is the
    /// type of the reference, which `isBack` says is weak or unowned.
    func object(
        at address: UInt, declared: Any.Type, label: String?, level: Int, isBack: Bool = false
    ) -> ValueNode {
        walked(label, level: level) {
            $0.add(objectAt: address, declared: declared, level: level, isBack: isBack)
        } ?? unavailable(declared, label, Self.changing)
    }

    /// The node of an object of a special class, or of none.
    func specialObject(
        at address: UInt, declared: Any.Type, label: String?, level: Int
    ) -> ValueNode {
        guard let type = MetadataCheck.classOfObject(at: address, in: session.source)
        else {
            return unavailable(
                declared, label, "no object stands at \(Quantity.address(address)) any more")
        }
        if session.isSecret(type) { return masked(type, label) }
        if let node = known(type, at: address, label: label, level: level) { return node }
        let name = TypeNames.name(of: type)
        var node = ValueNode(
            label: label, type: name, kind: .object, address: Quantity.address(address))
        if let known = session.known(address) {
            node.kind = .reference
            node.handle = known
            return node
        }
        node.handle = session.handle(of: address, typeName: name)
        if describe(dispatch: type, at: address, in: &node) { return node }
        if KeyPathSpelling.isKeyPath(type),
            let text = KeyPathSpelling.text(
                at: address, of: type, in: session.source, namesBy: session.kinds.namesEnd)
        {
            node.text = text
            session.spend(text.utf8.count)
            return node
        }
        if let node = walked(
            label, level: level, { $0.add(bareObjectAt: address, level: level) })
        {
            return node
        }
        node.note =
            FieldCache.lacksRecords(type)
            ? "compiled without the records of its properties" : Self.changing
        session.shows(address, node.handle)
        return node
    }

    /// The node of an object whose class has a format or a display proxy.
    private func known(
        _ type: Any.Type, at address: UInt, label: String?, level: Int
    ) -> ValueNode? {
        let format = ValueFormats.format(for: type)
        guard format != nil || StandIn.of(type) != nil,
            let reference = ValueView(referringTo: address, of: type, in: session.source)
        else { return nil }
        guard !session.isPlain else {
            session.needsMore = true
            return unavailable(type, label, "not read in place")
        }
        if case .read? = format?.way, let format,
            case .node(let node) = formatted(reference, label, format)
        {
            return node
        }
        return standIn(reference, label, level: level)
    }

    /// A copy of an object's bytes.
    static func instance(
        at address: UInt, of type: Any.Type, in source: MemorySource
    ) -> ValueView? {
        MemoryBlock(
            reading: address, count: TypeMetadata(type).instanceSize, in: source, isObject: true
        ).map { ValueView(block: $0, offset: 0, type: type, isStable: false) }
    }
}

extension NodeMaker {
    /// The node of an enum: its case and the payload.
    func enumeration(_ view: ValueView, _ label: String?, level: Int) -> ValueNode {
        guard case .enumeration(let layout) = TypeShape.of(view.type),
            let current = layout.currentCase(of: view)
        else { return unavailable(view.type, label, Self.changing) }
        var node = ValueNode(
            label: label, type: TypeNames.name(of: view.type), kind: .enumeration,
            text: "." + NameFormat.typed(current.name))
        guard current.hasPayload else { return node }
        guard let payload = layout.payload(of: view, case: current) else {
            node.note =
                current.payload == nil
                ? "the runtime records no type for what it carries"
                : Self.changing
            return node
        }
        if session.isSecret(current, of: view.type) {
            node.children = maskedPayload(of: payload.type)
            return node
        }
        if case .tuple = TypeShape.of(payload.type) {
            let parts = self.node(of: payload, label: nil, level: level)
            (node.children, node.cut) = (parts.children, parts.cut)
            return node
        }
        guard session.showsParts(at: level) else {
            node.cut = .init(reason: "depth", omitted: 1)
            return node
        }
        if let stop = session.stop {
            node.cut = .init(reason: stop, omitted: 1)
            return node
        }
        node.children = [
            session.with(.property("0")) {
                self.node(of: payload, label: ".0", level: level + 1)
            }
        ]
        return node
    }

    /// The masked payload of a case like `.password("…")`.
    private func maskedPayload(of type: Any.Type) -> [ValueNode] {
        guard case .tuple(let fields) = TypeShape.of(type) else { return [masked(type, ".0")] }
        return fields.map { masked($0.type, $0.shownName) }
    }
}
#endif
