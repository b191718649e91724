#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

// Values made part by part: enum cases, tuples, and values declared as existentials.
extension LiteralValue {
    func enumeration(_ literal: Literal, as type: Any.Type) throws(CommandFailure) -> Any {
        let enumeration = EnumLayout(of: type)
        let name: String
        let payload: [Literal.Argument]
        switch literal {
        case .enumCase(let typed, let arguments): (name, payload) = (typed, arguments)
        case .string(let typed): (name, payload) = (typed, [])
        case .path, .made:
            guard let typed = caseName(literal, of: type) else {
                throw mismatch(literal, type, hint: "its cases are \(enumeration.rendered)")
            }
            name = typed
            if case .made(_, let arguments) = literal { payload = arguments } else { payload = [] }
        default: throw mismatch(literal, type, hint: "its cases are \(enumeration.rendered)")
        }
        guard let entry = enumeration.cases.first(where: { $0.name == name }) else {
            throw CommandFailure(
                .wrongType,
                isMasked
                    ? "\(TypeNames.name(of: type)) has no such case"
                    : "\(TypeNames.name(of: type)) has no case \(name)",
                hint: enumeration.cases.isEmpty
                    ? "its cases were left out of the build"
                    : "its cases are \(enumeration.rendered)")
        }
        guard !entry.isOutOfReach else {
            throw CommandFailure(
                .unsupported,
                "the case .\(name) of \(TypeNames.name(of: type)) carries what can't be made"
            )
        }
        let part = part(".\(name)", number: number)
        let inner = masks.masks(name: name, of: entry.payload) ? part.secret : part
        var made: Any?
        if let payloadType = entry.payload {
            guard !ChangedType.holdsFunction(payloadType) else {
                throw CommandFailure(
                    .unsupported, "the payload of .\(name) is a function and can't be typed")
            }
            made = try inner.payload(payload, as: payloadType)
        } else if !payload.isEmpty {
            throw CommandFailure(
                .wrongType, "the case .\(name) of \(TypeNames.name(of: type)) has no payload",
                hint: "write .\(name)")
        }
        return try fit(enumeration.value(of: name, payload: made), literal, type)
    }

    private func payload(
        _ arguments: [Literal.Argument], as type: Any.Type
    ) throws(CommandFailure) -> Any {
        if TypeMetadata(type).kind == .tuple { return try tuple(arguments, as: type) }
        guard arguments.count == 1, let only = arguments.first else {
            throw CommandFailure(
                .wrongType,
                "\(subject) has a payload of type \(TypeNames.name(of: type)); "
                    + "\(arguments.count) values were typed",
                hint: "write it in parentheses after the case's name")
        }
        return try part("", number: number + 1).make(only.value, as: type)
    }

    func tuple(
        _ literal: Literal, as type: Any.Type
    ) throws(CommandFailure) -> Any {
        switch literal {
        case .tuple(let elements): return try tuple(elements, as: type)
        case .array(let elements):
            return try tuple(elements.map { Literal.Argument(value: $0) }, as: type)
        default: throw mismatch(literal, type, hint: "write (a, b)")
        }
    }

    private func tuple(
        _ elements: [Literal.Argument], as type: Any.Type
    ) throws(CommandFailure) -> Any {
        let plan = PlannedField.all(of: type, by: masks)
        let fields = plan.map(\.field)
        if fields.isEmpty, elements.isEmpty, type == Void.self { return () }
        guard elements.count == fields.count, !fields.isEmpty else {
            throw CommandFailure(
                .wrongType,
                "\(subject) is \(ChangedType.withArticle(type)): "
                    + Quantity.count(fields.count, "value", "values")
                    + " and not \(elements.count)")
        }
        var values: [Any] = []
        var next = number + 1
        for (planned, element) in zip(plan, elements) {
            let field = planned.field
            if let label = element.label, label != field.shownName {
                throw CommandFailure(
                    .wrongType,
                    "\(subject) is \(ChangedType.withArticle(type)): there is no '\(label)' "
                        + "at that place")
            }
            let isSecret = planned.isMasked || isSecretInPair(planned, plan, elements)
            let part = part(field.name, number: next)
            next += element.value.size
            values.append(
                try (isSecret ? part.secret : part).make(element.value, as: field.type))
        }
        let made = TypedMemory.withMemory(for: type) { memory -> Any? in
            for (index, (field, value)) in zip(fields, values).enumerated()
            where !TypedMemory.initialize(memory + field.offset, to: value, as: field.type) {
                for done in fields.prefix(index) {
                    TypedMemory.destroy(done.type, at: memory + done.offset)
                }
                return nil
            }
            return .some(TypedMemory.take(type, at: memory))
        }
        return try fit(made, .tuple(elements), type)
    }

    /// Returns whether another element holds this one's name, and that name is a secret's.
    private func isSecretInPair(
        _ planned: PlannedField, _ plan: [PlannedField], _ elements: [Literal.Argument]
    ) -> Bool {
        guard let naming = plan.naming(planned), case .string(let name) = elements[naming].value
        else { return false }
        return masks.masks(name: name, of: planned.field.type)
    }

    func existential(
        _ literal: Literal, as type: Any.Type, current: Any?
    ) throws(CommandFailure) -> Any {
        if let current, !ChangedType.isExistential(Swift.type(of: current)),
            !(current is any OptionalAccess)
        {
            let dynamic: Any.Type = Swift.type(of: current)
            if case .made(let name, _) = literal, isName(name, of: dynamic) {
                return try make(literal, as: dynamic, current: current)
            }
            do throws(CommandFailure) {
                let value = try quietly.make(literal, as: dynamic, current: current)
                if TypedMemory.isValue(value, of: type) { return value }
            } catch {
                // The type of the value is not certain yet.
                if typed?.isAsked == true { throw error }
            }
        }
        let natural: Any? =
            switch literal {
            case .bool(let bool): bool
            case .integer(let text): Int(text)
            case .float(let text): Double(text)
            case .string(let text): text
            default: nil
            }
        if natural == nil, case .made(let name, _) = literal {
            throw CommandFailure(
                .unsupported,
                "\(subject) is declared as \(TypeNames.name(of: type)), and no \(name) stands there "
                    + "now, so nothing says which type that is",
                hint: "a value of the type that stands there now is taken")
        }
        guard let natural, TypedMemory.isValue(natural, of: type) else {
            throw CommandFailure(
                .unsupported,
                "\(subject) is declared as \(TypeNames.name(of: type)), so nothing says which type "
                    + "the typed value has",
                hint: "a value of the type that stands there now is taken")
        }
        return natural
    }
}
#endif
