#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

// The steps of a walk into properties: the lookup by name, the checks on the way, and the rules for secrets.
extension StoredWalk {
    func step(
        into name: String, of type: Any.Type, at base: UnsafeMutableRawPointer, _ rest: Rest
    ) throws(CommandFailure) {
        let plan = PlannedField.all(of: type, by: masks)
        if try descend(throughSetterOf: name, of: type, plan, at: base, rest) { return }
        let planned = try planned(name, of: type, plan)
        let field = planned.field
        if ChangedType.isObservable(type) {
            note = "its @Observable observers were not told"
        }
        noteObservers(of: name, in: type)
        rendered += ValuePath.Component.property(name).description
        mark(planned, in: plan, at: base)
        try check(field)
        let place = base + field.offset
        if let noncopyable = field.noncopyable {
            return try enter(noncopyable.finding, at: place, rest)
        }
        guard !needsLock || (!field.isVariable && isBelowObject) else {
            throw unowned
        }
        if field.ownership != .strong {
            if rest.isEmpty { return try use(.reference(at: place, field), self) }
            return try enter(try target(of: field, at: place), rest)
        }
        // A wrapper's storage is the property's value only if it stores that value itself.
        if field.shownName == name, field.name != name,
            TypeMetadata(field.type).kind == .structure,
            let wrapped = FieldCache.fields(of: field.type).first(where: {
                $0.name == "wrappedValue"
            })
        {
            note = "the setter of its property wrapper did not run"
            try check(wrapped)
            return try descend(at: place + wrapped.offset, wrapped.type, rest)
        }
        try descend(at: place, field.type, rest)
    }

    /// The object of a weak or an unowned reference.
    private func target(
        of field: StoredField, at place: UnsafeMutableRawPointer
    ) throws(CommandFailure) -> AnyObject {
        guard let target = HeldReference.object(field, at: place) else {
            throw CommandFailure(
                .notFound, "\(rendered) is nil or gone; there is nothing below it to change")
        }
        return target
    }

    private func planned(
        _ name: String, of type: Any.Type, _ plan: [PlannedField]
    ) throws(CommandFailure) -> PlannedField {
        if let planned = plan.named(name) { return planned }
        throw CommandFailure(
            .notFound,
            "\(rendered) (\(TypeNames.name(of: type))) has no stored property '\(name)'",
            hint: NearestNames.question(name, among: plan.map(\.field.shownName))
                ?? "`show \(rendered)` lists its properties; computed ones can't be set")
    }

    /// Refuses a property that can't be passed. A `let` is refused only if the value itself is changed, so
    /// its refusal is stored and dropped again at the next object.
    private func check(_ field: StoredField) throws(CommandFailure) {
        if field.ownership == .unmanaged {
            throw CommandFailure(
                .unsupported,
                "\(rendered) is `unowned(unsafe)`, which can't be followed safely",
                hint: "register the object that it refers to")
        }
        if !field.isVariable, obstacle == nil {
            obstacle =
                "\(rendered) is a `let`: optimised code may have used its value already, so a change "
                + "would be seen in some places only"
        }
    }

    func unfit(_ step: ValuePath.Component?, _ type: Any.Type) -> CommandFailure {
        let what = "\(rendered) is \(ChangedType.withArticle(type))"
        if case .range = step {
            return CommandFailure(
                .unsupported, "\(what); a range can't be set",
                hint: "name one element: \(rendered)[0]")
        }
        let isList = type is any ArrayAccess.Type
        return CommandFailure(
            .unsupported, "\(what); nothing stored at \(step?.description ?? "that place")",
            hint: isList ? "name an element: \(rendered)[0]" : nil)
    }
}
#endif
