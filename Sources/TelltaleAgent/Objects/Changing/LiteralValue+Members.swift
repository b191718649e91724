#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

// Structs made from their properties, without an initializer of the host's.
extension LiteralValue {
    /// A typed property, with the number of its value.
    struct Member {
        let label: String
        let value: Literal
        let number: Int
    }

    /// The typed properties, if the text names properties of a struct that may be made from them: `(width: 3,
    /// height: 4)`, `Size(width: 3, height: 4)`, or, for a struct that is not `Decodable`, `{"width": 3}`.
    func members(typedAs literal: Literal, of type: Any.Type, current: Any?) -> [Member]? {
        guard ChangedType.isMadeOfProperties(type) else { return nil }
        var members: [Member] = []
        var next = number + 1
        switch literal {
        case .tuple(let typed), .made(_, let typed):
            if case .made(let name, _) = literal, !isName(name, of: type) { return nil }
            for argument in typed {
                guard let label = argument.label else { return nil }
                members.append(Member(label: label, value: argument.value, number: next))
                next += argument.value.size
            }
        case .dictionary(let entries) where !(type is any Decodable.Type):
            for entry in entries {
                guard case .string(let label) = entry.key else { return nil }
                members.append(Member(label: label, value: entry.value, number: next + 1))
                next += 1 + entry.value.size
            }
        default: return nil
        }
        guard type is any Decodable.Type else { return members }
        // Only its `init(from:)` knows the names under which a `Decodable` type decodes its properties.
        let names = Set(fields(of: type).map(\.shownName))
        let isComplete = current != nil || members.count == names.count
        return isComplete && members.allSatisfy { names.contains($0.label) } ? members : nil
    }

    /// Makes a struct; properties that were not typed are taken from `current`.
    func make(
        _ members: [Member], as type: Any.Type, current: Any?
    ) throws(CommandFailure) -> Any? {
        let plan = PlannedField.all(of: type, by: masks)
        let fields = plan.map(\.field)
        var typed: [Int: Any] = [:]
        let before = current.map { Self.values(of: fields, in: $0, as: type) }
        for member in members {
            let index = try self.index(of: member, in: fields, of: type)
            guard typed[index] == nil else {
                throw CommandFailure(
                    .usage, "\(subject): \(member.label) stands twice in what was typed",
                    hint: "write each property once")
            }
            let field = fields[index]
            let part = part(".\(member.label)", number: member.number)
            let isSecret =
                plan[index].isMasked || isSecretInPair(plan[index], plan, members, before: before)
            typed[index] = try (isSecret ? part.secret : part).make(
                member.value, as: field.type, current: before?[index])
        }
        if let before { try checkNames(plan, typed, before) }
        if current == nil { try complete(&typed, fields, of: type) }
        return Self.value(of: type, fields, typed, over: current)
    }

    /// Returns whether another property, typed or not, holds this one's name, and that name is a secret's.
    private func isSecretInPair(
        _ planned: PlannedField, _ plan: [PlannedField], _ members: [Member], before: [Any?]?
    ) -> Bool {
        guard let naming = plan.naming(planned) else { return false }
        switch members.last(where: { $0.label == plan[naming].field.shownName })?.value {
        case .string(let name)?, .enumCase(let name, _)?:
            return masks.masks(name: name, of: planned.field.type)
        case nil:
            guard let name = before?[naming] as? String else { return false }
            return masks.masks(name: name, of: planned.field.type)
        default: return false
        }
    }

    /// Refuses a new name for a secret that is not typed together with it: the secret would no longer be
    /// masked.
    private func checkNames(
        _ plan: [PlannedField], _ typed: [Int: Any], _ before: [Any?]
    ) throws(CommandFailure) {
        for (index, planned) in plan.enumerated() where typed[index] == nil {
            guard let naming = plan.naming(planned), typed[naming] != nil,
                let name = before[naming],
                ValueReader.name(of: name, masks: masks)
                    .isSecret(by: masks, value: planned.field.type)
            else { continue }
            throw .nameOfSecret("\(subject).\(plan[naming].field.shownName)")
        }
    }

    private func index(
        of member: Member, in fields: [StoredField], of type: Any.Type
    ) throws(CommandFailure) -> Int {
        guard let index = fields.lastIndex(where: { $0.shownName == member.label }) else {
            misfit?.take(member.number)
            throw CommandFailure(
                .wrongType,
                "\(subject) is \(ChangedType.withArticle(type)) without a stored property "
                    + NameFormat.typed(member.label),
                hint: NearestNames.question(member.label, among: fields.map(\.shownName))
                    ?? "it has \(fields.map(\.shownName).joined(separator: ", "))")
        }
        guard Self.canBeTyped(fields[index]) else {
            misfit?.take(member.number)
            throw CommandFailure(
                .unsupported,
                "\(subject).\(member.label) is "
                    + "\(ChangedType.withArticle(fields[index].type)), which can't be typed as part of "
                    + "a whole",
                hint: "leave it out: it keeps its value")
        }
        return index
    }

    /// Completes a new value with `nil` for the optional properties that were not typed, as the compiler's
    /// initializer does.
    private func complete(
        _ typed: inout [Int: Any], _ fields: [StoredField], of type: Any.Type
    ) throws(CommandFailure) {
        var missing: [String] = []
        for (index, field) in fields.enumerated() where typed[index] == nil {
            if let optional = field.type as? any OptionalAccess.Type, Self.canBeTyped(field),
                field.isVariable, let none = optional.wrap(nil)
            {
                typed[index] = none
            } else {
                missing.append(field.shownName)
            }
        }
        guard missing.isEmpty, fields.count == TypeMetadata(type).descriptor?.records.count else {
            throw CommandFailure(
                .wrongType,
                "\(subject) is \(ChangedType.withArticle(type)), of which nothing stands there yet; "
                    + "what was typed is without \(missing.joined(separator: ", "))",
                hint: "write all of its properties")
        }
    }

    private func fields(of type: Any.Type) -> [StoredField] {
        PlannedField.all(of: type, by: masks).map(\.field)
    }

    private static func canBeTyped(_ field: StoredField) -> Bool {
        field.ownership == .strong && !field.isNoncopyable
            && !ChangedType.holdsFunction(field.type)
    }

    private static func values(
        of fields: [StoredField], in value: Any, as type: Any.Type
    ) -> [Any?] {
        TypedMemory.withMemory(for: type) { memory in
            guard TypedMemory.initialize(memory, to: value, as: type) else {
                return fields.map { _ in nil }
            }
            defer { TypedMemory.destroy(type, at: memory) }
            return fields.map { field in
                canBeTyped(field) ? TypedMemory.load(field.type, at: memory + field.offset) : nil
            }
        }
    }

    private static func value(
        of type: Any.Type, _ fields: [StoredField], _ typed: [Int: Any], over current: Any?
    ) -> Any? {
        TypedMemory.withMemory(for: type) { memory -> Any? in
            if let current {
                guard TypedMemory.initialize(memory, to: current, as: type) else { return nil }
                for (index, value) in typed {
                    let field = fields[index]
                    guard TypedMemory.assign(value, to: field.type, at: memory + field.offset)
                    else {
                        TypedMemory.destroy(type, at: memory)
                        return nil
                    }
                }
                return .some(TypedMemory.take(type, at: memory))
            }
            var done: [StoredField] = []
            for (index, value) in typed {
                let field = fields[index]
                guard
                    TypedMemory.initialize(memory + field.offset, to: value, as: field.type)
                else {
                    for field in done {
                        TypedMemory.destroy(field.type, at: memory + field.offset)
                    }
                    return nil
                }
                done.append(field)
            }
            return .some(TypedMemory.take(type, at: memory))
        }
    }

    /// The error for a struct that can't be typed this way.
    func untyped(_ literal: Literal, _ type: Any.Type) -> CommandFailure {
        let names = fields(of: type).map(\.shownName)
        guard ChangedType.isMadeOfProperties(type), !names.isEmpty else {
            return CommandFailure(
                .unsupported,
                "\(subject) is \(ChangedType.withArticle(type)), which is not Decodable, so it can't "
                    + "be typed as a whole",
                hint: names.isEmpty
                    ? nil
                    : "set its properties: "
                        + names.prefix(3).map { "\(subject).\($0)" }.joined(separator: ", "))
        }
        return mismatch(
            literal, type,
            hint: "write its properties: ("
                + names.prefix(4).map { "\(NameFormat.typed($0)): …" }.joined(separator: ", ") + ")"
        )
    }

    // MARK: Names

    /// Returns whether a name is that of a type, with or without the enclosing types.
    func isName(_ name: String, of type: Any.Type) -> Bool {
        let own = TypeNames.name(of: type)
        return own == name || own.hasSuffix(".\(name)") || name.hasSuffix(".\(own)")
            || _typeName(type, qualified: true) == name
    }

    /// The case that `Mood.busy` or `Mood.busy(1)` names; `nil` for a case of another type.
    func caseName(_ literal: Literal, of type: Any.Type) -> String? {
        switch literal {
        case .path(let path):
            guard case .name(let root) = path.root, case .property(let name)? = path.components.last
            else { return nil }
            let outer = path.components.dropLast()
            let owner = outer.reduce(root) { $0 + $1.description }
            return isName(owner, of: type) ? name : nil
        case .made(let name, _):
            guard let dot = name.lastIndex(of: "."), isName(String(name[..<dot]), of: type) else {
                return nil
            }
            return String(name[name.index(after: dot)...])
        default: return nil
        }
    }
}
#endif
