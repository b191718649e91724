#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem
import TelltaleValues

/// Makes the plans by which a walk reads values. They follow the rules of ``NodeMaker``, so that both give
/// the same result.
struct PlanMaking {
    let session: ReadSession

    func shape(of type: Any.Type) -> PlanShape {
        if session.isSecret(type) { return .secret }
        guard ValueFormats.format(for: type) == nil, StandIn.of(type) == nil,
            DispatchKind.of(type) == nil, !KeyPathSpelling.isKeyPath(type),
            !TaskKind.isTask(type)
        else { return .other }
        let layout = MetadataLayout.current
        switch TypeShape.of(type) {
        case .scalar(let kind): return scalar(kind, type)
        case .string: return layout.has(.strings) ? .string : .other
        case .optional(let wrapped):
            return TypePlans.tellsCases(type) ? .optional(wrapped: wrapped) : .other
        case .array(let element):
            return layout.has(.collections) ? .array(element: element) : .other
        case .enumeration(let layout):
            return TypePlans.tellsCases(type) ? .enumeration(cases(of: layout)) : .other
        case .structure:
            let parts = parts(of: type)
            return parts.isEmpty && TypeMetadata(type).size > 0 ? .other : .structure(parts)
        case .tuple:
            let parts = parts(of: type)
            return parts.isEmpty ? .other : .tuple(parts)
        case .object:
            let parts = parts(of: type)
            return parts.isEmpty && FieldCache.lacksRecords(type) ? .other : .object(parts)
        case .existential(.object): return .reference
        case .existential: return layout.has(.existentials) ? .existential : .other
        default: return .other
        }
    }

    private func scalar(_ kind: ScalarKind, _ type: Any.Type) -> PlanShape {
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
            return PlanPart(
                name: "." + NameFormat.typed(entry.name), step: "0", type: entry.payload,
                isOther: entry.hasPayload && (entry.isIndirect || entry.payload == nil)
                    || isSecret)
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
            return PlanPart(
                name: field.shownName, step: NodeMaker.step(field.shownName), type: field.type,
                offset: field.offset, ownership: field.ownership, isMasked: planned.isMasked,
                isOther: planned.namedBy != nil || field.isNoncopyable
                    || field.isLazy || !canFollow(field.ownership))
        }
    }
}
#endif
