#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleValues

/// Makes the nodes of the kinds that a walk by plans can't read, and has the walk read their parts.
struct NodeMaker {
    let session: ReadSession

    enum Finding {
        case node(ValueNode)
        /// The value inside an optional, an existential or a box, which is shown instead.
        case inner(ValueView)
        case content
        /// A value that is shown by its fields although it has a format, with the reason.
        case unformatted(String)
    }

    /// The node of a value, `level` levels below the requested one. If the value can't be read, the node says
    /// why.
    func node(of view: ValueView, label: String?, level: Int) -> ValueNode {
        if isLeaf(view.type) { return special(view, label: label, level: level, isBare: true) }
        return walked(label, level: level) { $0.add(view, level: level) }
            ?? unavailable(view.type, label, Self.changing)
    }

    /// Returns true for a text and a number without rules of its own, which need no walk.
    private func isLeaf(_ type: Any.Type) -> Bool {
        switch TypeShape.of(type) {
        case .string, .scalar:
            !session.isPlain && !session.isSecret(type) && ValueFormats.format(for: type) == nil
        default: false
        }
    }

    /// The node that a body adds to a walk; `nil` if it adds none.
    func walked(_ label: String?, level: Int, _ body: (TreeWalk) -> Bool) -> ValueNode? {
        guard !session.isTooDeep else { return unavailable(Any.self, label, "nested too deep") }
        session.spent += label?.utf8.count ?? 0
        var node = SessionWalk.node(in: session, level: level, body)
        node?.label = label
        return node
    }

    /// The node of a value of a special kind; a bare one is shown by its own parts, without a format.
    func special(_ view: ValueView, label: String?, level: Int, isBare: Bool) -> ValueNode {
        guard !session.isTooDeep else { return unavailable(view.type, label, "nested too deep") }
        let finding = isBare ? .content : finding(view, label)
        if case .inner(let inner) = finding { return node(of: inner, label: label, level: level) }
        session.spend(96 + (label?.utf8.count ?? 0))
        switch finding {
        case .node(let node): return node
        case .unformatted(let note):
            var node = bare(view, label, level: level)
            node.note = node.note.map { "\(note); \($0)" } ?? note
            return node
        case .inner, .content:
            return content(of: view, label: label, level: level, isBare: isBare)
        }
    }

    private func bare(_ view: ValueView, _ label: String?, level: Int) -> ValueNode {
        walked(label, level: level) { $0.add(bare: view, level: level) }
            ?? content(of: view, label: label, level: level, isBare: true)
    }

    private func finding(_ view: ValueView, _ label: String?) -> Finding {
        let type = view.type
        if session.isSecret(type) { return .node(masked(type, label)) }
        switch TypeShape.of(type) {
        // These types have their own rules for reads in place.
        case .mutex, .atomic, .lazyReference: return .content
        default: break
        }
        guard session.mayRead(view) else {
            session.needsMore = true
            return .node(unavailable(type, label, "not read in place"))
        }
        // An object may be of a subclass of its declared class.
        if session.limits.usesFormats, TypeMetadata(type).kind != .classType,
            let format = ValueFormats.format(for: type)
        {
            return formatted(view, label, format)
        }
        if case .structure = TypeShape.of(type), StandIn.of(type) != nil { return .content }
        switch TypeShape.of(type) {
        case .optional(let wrapped): return optional(view, label, wrapped: wrapped)
        case .existential(.object): return .content
        case .existential(let layout):
            guard MetadataLayout.current.has(.existentials) else {
                return .node(unavailable(type, label, Self.unknownLayout))
            }
            return inner(layout.content(of: view), of: view, label)
        case .anyHashable: return inner(NodeMaker.hashableContent(view), of: view, label)
        default: return .content
        }
    }

    private func inner(_ content: ValueView?, of view: ValueView, _ label: String?) -> Finding {
        content.map { .inner($0) } ?? .node(unavailable(view.type, label, Self.changing))
    }

    private func optional(_ view: ValueView, _ label: String?, wrapped: Any.Type) -> Finding {
        guard let isSome = view.isSome else { return inner(nil, of: view, label) }
        if isSome { return .inner(view.part(type: wrapped)) }
        if session.isSecret(wrapped) { return .node(masked(view.type, label)) }
        return .node(
            ValueNode(
                label: label, type: TypeNames.name(of: view.type), kind: .none, text: "nil"))
    }

    private func content(
        of view: ValueView, label: String?, level: Int, isBare: Bool
    ) -> ValueNode {
        switch TypeShape.of(view.type) {
        case .scalar, .metatype, .function, .opaque, .optional, .anyHashable:
            return simple(view, label)
        case .string, .substring, .character, .staticString: return string(view, label)
        case .array, .slice, .inlineArray, .set, .dictionary:
            return collection(view, label: label, level: level)
        case .range(let bound, let separator):
            return range(view, label, bound: bound, separator: separator)
                ?? opaque(view, label, level: level, isBare: isBare)
        case .enumeration: return enumeration(view, label, level: level)
        case .structure:
            let known = isBare ? nil : task(view, label) ?? standIn(view, label, level: level)
            return known ?? opaque(view, label, level: level, isBare: isBare)
        case .deque(let element): return deque(view, of: element, label, level: level)
        case .tuple:
            return ValueNode(
                label: label, type: TypeNames.name(of: view.type), kind: .tuple, text: "()")
        case .mutex(let value, let offset):
            return mutex(view, value, behind: offset, label, level: level)
        case .atomic(let value): return atomic(view, value, label, level: level)
        case .lazyReference(let type):
            guard view.word() != 0 else {
                return ValueNode(
                    label: label, type: TypeNames.name(of: view.type), kind: .none, text: "nil",
                    note: "not yet made")
            }
            return object(at: view.word() ?? 0, declared: type, label: label, level: level)
        case .object, .existential:
            return object(at: view.word() ?? 0, declared: view.type, label: label, level: level)
        }
    }

    private func simple(_ view: ValueView, _ label: String?) -> ValueNode {
        switch TypeShape.of(view.type) {
        case .scalar(let kind): leaf(view.type, label, .scalar, kind.text(of: view))
        case .metatype: metatype(view, label)
        default:
            ValueNode(
                label: label, type: TypeNames.name(of: view.type), kind: .opaque,
                note: "opaque, "
                    + Quantity.count(TypeMetadata(view.type).size, "byte", "bytes"))
        }
    }

    /// A node with the reason why there is no value.
    func unavailable(_ type: Any.Type, _ label: String?, _ reason: String) -> ValueNode {
        ValueNode(
            label: label, type: TypeNames.name(of: type), kind: .unavailable, note: reason)
    }

    func masked(_ type: Any.Type, _ label: String?) -> ValueNode {
        session.masksSomething = true
        return ValueNode(
            label: label, type: TypeNames.name(of: type), kind: .masked, text: MaskPolicy.text)
    }

    static let partlyMasked = "a secret in it is masked"

    /// The text with the secrets of its URLs masked; `nil` if it contains none.
    func maskingURLs(in text: String, isWhole: Bool) -> String? {
        guard session.masks.isActive,
            let masked = SecretURL.masking(text, isWhole: isWhole, names: session.masks.names)
        else { return nil }
        session.masksSomething = true
        return masked
    }

    static let changing = "it can't be read; it may just be changing"
    static let unknownLayout = "this Swift runtime stores it in a way the agent doesn't know"

    private func leaf(
        _ type: Any.Type, _ label: String?, _ kind: ValueNode.Kind, _ text: String?
    ) -> ValueNode {
        guard let text else { return unavailable(type, label, Self.changing) }
        session.spend(text.utf8.count)
        return ValueNode(label: label, type: TypeNames.name(of: type), kind: kind, text: text)
    }

    private func string(_ view: ValueView, _ label: String?) -> ValueNode {
        guard MetadataLayout.current.has(.strings) else {
            return unavailable(view.type, label, Self.unknownLayout)
        }
        let content: StringStorage.Content? =
            switch TypeShape.of(view.type) {
            case .substring:
                StringStorage.readSubstring(view, limit: session.limits.stringBytes)
            case .staticString:
                StringStorage.readStatic(view, limit: session.limits.stringBytes)
            default: StringStorage.read(view, limit: session.limits.stringBytes)
            }
        guard let content else { return unavailable(view.type, label, Self.changing) }
        let masked = maskingURLs(in: content.text, isWhole: content.isWhole)
        var node = leaf(view.type, label, .string, Literal.quoted(masked ?? content.text))
        if masked != nil { node.note = Self.partlyMasked }
        if !content.isWhole {
            node.cut = .init(
                reason: "bytes", omitted: content.byteCount - content.text.utf8.count)
        }
        return node
    }

    func formatted(
        _ view: ValueView, _ label: String?, _ format: ValueFormat
    ) -> Finding {
        let limit = session.limits.stringBytes
        let rendering: ValueFormat.Rendering?
        switch format.way {
        case .read(let isKnown, let read):
            guard isKnown() else { return .unformatted(Self.unknownLayout) }
            rendering = read(StoredValue(view), limit)
        case .stands: return .content
        case .called(let render):
            guard session.limits.runsFormats || format.run.contains(.inReadOnlyMode) else {
                return .unformatted(
                    "its format is not used: it is code of the service, and the agent is read-only")
            }
            switch PlainValue(view) {
            case .refers:
                return .unformatted("its format is not used: it refers to other memory")
            case .none: rendering = nil
            case .plain: rendering = Self.made(from: view).flatMap { render($0, limit) }
            }
        }
        guard let rendering else {
            return .node(unavailable(view.type, label, Self.changing))
        }
        let node = format.node(
            of: rendering, label: label, typeName: TypeNames.name(of: view.type), bytes: limit,
            masking: format.isEncoded ? { _, _ in nil } : maskingURLs)
        session.spend(node.text?.utf8.count ?? 0)
        return .node(node)
    }

    private static func made(from view: ValueView) -> Any? {
        guard let start = view.bytes?.baseAddress else { return nil }
        func load<Value>(_: Value.Type) -> Any {
            start.assumingMemoryBound(to: Value.self).pointee
        }
        return _openExistential(view.type, do: load)
    }

    private func range(
        _ view: ValueView, _ label: String?, bound: Any.Type, separator: String
    ) -> ValueNode? {
        let fields = FieldCache.fields(of: view.type)
        if case .scalar(let kind) = TypeShape.of(bound), fields.count == 2,
            let low = kind.text(of: view.part(at: fields[0].offset, type: bound)),
            let high = kind.text(of: view.part(at: fields[1].offset, type: bound))
        {
            return leaf(view.type, label, .scalar, low + separator + high)
        }
        return nil
    }

    /// The value in an `AnyHashable`: the first field of the box in its only field.
    static func hashableContent(_ view: ValueView) -> ValueView? {
        guard MetadataLayout.current.has(.existentials),
            let field = FieldCache.fields(of: view.type).first,
            case .existential(let layout) = TypeShape.of(field.type),
            let box = layout.content(of: view.part(at: field.offset, type: field.type)),
            let base = FieldCache.fields(of: box.type).first
        else { return nil }
        return box.part(at: base.offset, type: base.type)
    }

    // A thin metatype, which has only one possible value, has no bytes of its own in a struct.
    private func metatype(_ view: ValueView, _ label: String?) -> ValueNode {
        let metadata = TypeMetadata(view.type)
        var shown: Any.Type?
        if metadata.kind == .metatype, metadata.word(1) != 0 {
            let instance = unsafeBitCast(metadata.word(1), to: Any.Type.self)
            if TypeMetadata(instance).kind != .classType { shown = instance }
        }
        shown = shown ?? view.word().flatMap(MetadataCheck.type(at:))
        guard let shown else { return unavailable(view.type, label, Self.changing) }
        return leaf(view.type, label, .opaque, TypeNames.name(of: shown) + ".self")
    }
}
#endif
