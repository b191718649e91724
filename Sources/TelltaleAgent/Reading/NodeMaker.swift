#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import TelltaleProtocol

    /// Makes the tree of a value.
    struct NodeMaker {
        let session: ReadSession

        /// The node of a value.
        ///
        /// - Parameters:
        ///   - view: The value.
        ///   - label: What stands before it.
        ///   - level: How deep it is below the value that was asked for.
        /// - Returns: Its node; where it can't be read, one that says why.
        func node(of view: ValueView, label: String?, level: Int) -> ValueNode {
            session.spend(96 + (label?.utf8.count ?? 0))
            session.nesting += 1
            defer { session.nesting -= 1 }
            let type = view.type
            guard session.nesting < ReadSession.deepestNesting else {
                return unavailable(type, label, "nested too deep")
            }
            if session.isSecret(type) { return masked(type, label) }
            guard !session.isPlain || view.isStable || TypeMetadata(type).isPlainWord else {
                session.needsMore = true
                return unavailable(type, label, "not read in place")
            }
            if let node = formatted(view, label) { return node }
            switch TypeShape.of(type) {
            case .scalar(let kind): return leaf(type, label, .scalar, kind.text(of: view))
            case .string, .substring, .character, .staticString: return string(view, label)
            case .array, .slice, .inlineArray, .set, .dictionary:
                return collection(view, label: label, level: level)
            case .range(let bound, let separator):
                return range(view, label, level: level, bound: bound, separator: separator)
            case .anyHashable: return hashable(view, label, level: level)
            case .optional(let wrapped):
                return optional(view, label, level: level, wrapped: wrapped)
            case .enumeration(let layout):
                return enumeration(view, label, level: level, layout: layout)
            case .structure: return structure(view, label, level: level)
            case .tuple(let fields): return tuple(view, label, level: level, fields: fields)
            case .object:
                return object(at: view.word() ?? 0, declared: type, label: label, level: level)
            case .existential(let layout):
                return existential(view, label, level: level, layout: layout)
            case .metatype: return metatype(view, label)
            case .function:
                return ValueNode(
                    label: label, type: TypeNames.name(of: type), kind: .opaque, text: "(Function)")
            case .opaque:
                return ValueNode(
                    label: label, type: TypeNames.name(of: type), kind: .opaque,
                    note: "its type tells nothing of its inside")
            }
        }

        /// A node that says why there is no value.
        func unavailable(_ type: Any.Type, _ label: String?, _ reason: String) -> ValueNode {
            ValueNode(
                label: label, type: TypeNames.name(of: type), kind: .unavailable, note: reason)
        }

        /// A node in the place of a secret.
        func masked(_ type: Any.Type, _ label: String?) -> ValueNode {
            ValueNode(
                label: label, type: TypeNames.name(of: type), kind: .masked, text: MaskPolicy.text)
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
            guard LayoutCalibration.shared.strings else {
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
            var node = leaf(view.type, label, .string, Literal.quoted(content.text))
            if !content.isWhole {
                node.cut = .init(
                    reason: "bytes", omitted: content.byteCount - content.text.utf8.count)
            }
            return node
        }

        // The format's closure gets a copy of its own; a class in it is retained for so long.
        private func formatted(_ view: ValueView, _ label: String?) -> ValueNode? {
            guard let format = ValueFormats.format(for: view.type),
                TypeMetadata(view.type).kind != .classType, let bytes = view.bytes,
                let start = bytes.baseAddress
            else { return nil }
            func load<Value>(_: Value.Type) -> Any {
                start.assumingMemoryBound(to: Value.self).pointee
            }
            let value = _openExistential(view.type, do: load)
            let node = format.node(
                of: value, label: label, typeName: TypeNames.name(of: view.type),
                bytes: session.limits.stringBytes)
            session.spend(node?.text?.utf8.count ?? 0)
            return node
        }

        private func range(
            _ view: ValueView, _ label: String?, level: Int, bound: Any.Type, separator: String
        ) -> ValueNode {
            let fields = FieldCache.fields(of: view.type)
            if case .scalar(let kind) = TypeShape.of(bound), fields.count == 2,
                let low = kind.text(of: view.part(at: fields[0].offset, type: bound)),
                let high = kind.text(of: view.part(at: fields[1].offset, type: bound))
            {
                return leaf(view.type, label, .scalar, low + separator + high)
            }
            return structure(view, label, level: level)
        }

        private func hashable(_ view: ValueView, _ label: String?, level: Int) -> ValueNode {
            guard let content = NodeMaker.hashableContent(view) else {
                return unavailable(view.type, label, Self.changing)
            }
            return node(of: content, label: label, level: level)
        }

        /// The value in an `AnyHashable`: the first field of the box in its only field.
        static func hashableContent(_ view: ValueView) -> ValueView? {
            guard LayoutCalibration.shared.existentials,
                let field = FieldCache.fields(of: view.type).first,
                case .existential(let layout) = TypeShape.of(field.type),
                let box = layout.content(of: view.part(at: field.offset, type: field.type)),
                let base = FieldCache.fields(of: box.type).first
            else { return nil }
            return box.part(at: base.offset, type: base.type)
        }

        private func optional(
            _ view: ValueView, _ label: String?, level: Int, wrapped: Any.Type
        ) -> ValueNode {
            switch Self.isSome(view) {
            case true?: return node(of: view.part(type: wrapped), label: label, level: level)
            case false?:
                if session.isSecret(wrapped) { return masked(view.type, label) }
                return ValueNode(
                    label: label, type: TypeNames.name(of: view.type), kind: .none, text: "nil")
            case nil: return unavailable(view.type, label, Self.changing)
            }
        }

        /// Whether an optional has a value; nil if its bytes tell nothing.
        static func isSome(_ view: ValueView) -> Bool? {
            guard view.bytes != nil, let pointer = view.block.pointer(at: view.offset) else {
                return nil
            }
            return TypeMetadata(view.type).enumTag(of: pointer).map { $0 == 0 }
        }

        private func existential(
            _ view: ValueView, _ label: String?, level: Int, layout: ExistentialLayout
        ) -> ValueNode {
            guard LayoutCalibration.shared.existentials else {
                return unavailable(view.type, label, Self.unknownLayout)
            }
            if case .object = layout {
                return object(at: view.word() ?? 0, declared: view.type, label: label, level: level)
            }
            guard let content = layout.content(of: view) else {
                return unavailable(view.type, label, Self.changing)
            }
            return node(of: content, label: label, level: level)
        }

        // A metatype that can be only one has no bytes of its own in a struct.
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
