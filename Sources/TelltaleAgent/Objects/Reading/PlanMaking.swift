#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem
import TelltaleValues

/// Makes the plans by which a walk reads values.
struct PlanMaking {
    let session: ReadSession

    /// The shape of a type; a bare one is by the type's own parts, although the type has a format or is of a
    /// special kind.
    func shape(of type: Any.Type, isBare: Bool) -> PlanShape {
        if session.isSecret(type) { return PlanShape(.secret) }
        return isBare || isOrdinary(type) ? shape(of: type) : .other
    }

    private func isOrdinary(_ type: Any.Type) -> Bool {
        ValueFormats.format(for: type) == nil && StandIn.of(type) == nil
            && DispatchKind.of(type) == nil && !KeyPathSpelling.isKeyPath(type)
            && !TaskKind.isTask(type)
    }

    private func shape(of type: Any.Type) -> PlanShape {
        let layout = MetadataLayout.current
        switch TypeShape.of(type) {
        case .scalar(let kind): return PlanShape(scalar(kind, type))
        case .string: return layout.has(.strings) ? PlanShape(.string) : .other
        case .optional(let wrapped):
            return TypePlans.tellsCases(type) ? PlanShape(.optional, inner: wrapped) : .other
        case .array(let element):
            return layout.has(.collections) ? PlanShape(.array, inner: element) : .other
        case .set(let element):
            return layout.has(.collections) ? PlanShape(.set, inner: element) : .other
        case .dictionary(let key, let value):
            return layout.has(.collections)
                ? PlanShape(.dictionary, inner: key, value: value) : .other
        case .function: return PlanShape(.function)
        case .enumeration(let layout):
            return TypePlans.tellsCases(type)
                ? PlanShape(.enumeration, parts: cases(of: layout)) : .other
        case .structure:
            let isOpaque = FieldCache.fields(of: type).isEmpty && TypeMetadata(type).size > 0
            return isOpaque ? .other : PlanShape(.structure, parts: parts(of: type))
        case .tuple:
            return FieldCache.fields(of: type).isEmpty
                ? .other : PlanShape(.tuple, parts: parts(of: type))
        case .object:
            let parts = parts(of: type)
            return parts.isEmpty && FieldCache.lacksRecords(type)
                ? .other : PlanShape(.object, parts: parts)
        case .existential(.object): return PlanShape(.reference)
        case .existential:
            return layout.has(.existentials) ? PlanShape(.existential) : .other
        default: return .other
        }
    }

    private func scalar(_ kind: ScalarKind, _ type: Any.Type) -> PlanKind {
        switch kind {
        case .bool: return .truth
        case .pointer: return .pointer
        case .unicodeScalar: return .other
        case .number:
            if Self.integers.contains(ObjectIdentifier(type)) { return .integer }
            return Self.naturals.contains(ObjectIdentifier(type)) ? .natural : .number
        }
    }

    private static let integers = Set(
        ([Int.self, Int8.self, Int16.self, Int32.self, Int64.self] as [Any.Type])
            .map { ObjectIdentifier($0) })
    private static let naturals = Set(
        ([UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self] as [Any.Type])
            .map { ObjectIdentifier($0) })

    private func cases(of layout: EnumLayout) -> [PlanPart] {
        layout.cases.map { entry in
            let isSecret = entry.hasPayload && session.isSecret(entry, of: layout.type)
            var part = PlanPart(
                "." + NameFormat.typed(entry.name), step: "0", type: entry.payload)
            part.isOther =
                entry.hasPayload && (entry.isIndirect || entry.payload == nil || isSecret)
            return part
        }
    }

    private func canFollow(_ ownership: StoredField.Ownership) -> Bool {
        switch ownership {
        case .weak: MetadataLayout.current.has(.weakReferences)
        case .unowned: MetadataLayout.current.has(.unownedReferences)
        case .strong, .unmanaged: true
        }
    }

    private func parts(of type: Any.Type) -> [PlanPart] {
        session.plan(of: type).map { planned in
            let field = planned.field
            var part = PlanPart(
                field.shownName, step: NodeMaker.step(field.shownName), type: field.type)
            part.offset = field.offset
            part.ownership = field.ownership
            part.isMasked = planned.isMasked
            part.isVariable = field.isVariable
            part.isOther =
                planned.namedBy != nil || field.isNoncopyable || field.isLazy
                || !canFollow(field.ownership)
            return part
        }
    }
}
#endif
