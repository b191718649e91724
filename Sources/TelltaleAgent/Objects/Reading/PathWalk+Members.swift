#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

extension PathWalk {
    func member(
        of address: UInt, _ type: Any.Type, _ component: ValuePath.Component
    ) throws(CommandFailure) -> Place {
        guard case .property(let name) = component else {
            throw noCollection(type, component)
        }
        guard let planned = session.plan(of: type).named(name) else {
            if name == "address" {
                return made(component, UInt.self, .scalar, Quantity.address(address))
            }
            return try typeMember(component, type)
        }
        guard let view = NodeMaker.instance(at: address, of: type, in: session.source) else {
            throw notRead()
        }
        let stable = ValueView(
            block: view.block, offset: 0, type: type, isStable: !planned.field.isVariable)
        session.push(.property(NodeMaker.step(planned.field.shownName)))
        return place(of: planned, in: stable)
    }

    func place(of planned: PlannedField, in view: ValueView) -> Place {
        let field = planned.field
        if planned.isMasked || session.isSecret(field.type)
            || maker.isSecretInPair(planned, of: view)
        {
            session.masksSomething = true
            return .masked(field.type)
        }
        guard field.ownership == .strong, !field.isNoncopyable else {
            return .property(planned, view)
        }
        return .spot(Spot(view: view.part(at: field.offset, type: field.type), field: field))
    }

    /// A part of a value that is not an object.
    func part(of spot: Spot, _ component: ValuePath.Component) throws(CommandFailure) -> Place {
        let view = spot.view
        switch TypeShape.of(view.type) {
        case .structure, .range, .tuple:
            return try field(of: spot, session.plan(of: view.type), component)
        case .enumeration(let layout): return try payload(of: spot, layout, component)
        case .array, .slice, .inlineArray:
            guard let storage = NodeMaker.array(view) else { throw notRead() }
            return try element(of: storage, type: view.type, component)
        case .set, .dictionary:
            guard let storage = NodeMaker.table(view) else { throw notRead() }
            switch component {
            case .property("min"), .property("max"), .property("sum"):
                guard let clause = component.propertyName.flatMap(CollectionClause.init(member:))
                else { break }
                return try clausePlace(clause, of: .spot(spot))
            default: break
            }
            return try entry(of: storage, type: view.type, component)
        case .deque(let element):
            guard DequeStorage.isKnown, let storage = DequeStorage(view, element: element) else {
                throw notRead()
            }
            return try self.element(of: storage, type: view.type, component)
        case .string, .substring:
            return try text(view, component)
        default: return try typeMember(component, view.type)
        }
    }

    private func field(
        of spot: Spot, _ plan: [PlannedField], _ component: ValuePath.Component
    ) throws(CommandFailure) -> Place {
        guard case .property(let name) = component else {
            throw noCollection(spot.view.type, component)
        }
        guard let found = plan.named(name) else {
            return try typeMember(component, spot.view.type)
        }
        session.push(.property(NodeMaker.step(found.field.shownName)))
        return place(of: found, in: spot.view)
    }

    // A payload is reached by `.0`, by its label, or by the name of the case.
    private func payload(
        of spot: Spot, _ layout: EnumLayout, _ component: ValuePath.Component
    ) throws(CommandFailure) -> Place {
        let type = spot.view.type
        guard case .property(let name) = component else { throw noCollection(type, component) }
        guard let current = layout.currentCase(of: spot.view) else { throw notRead() }
        guard current.hasPayload else {
            if name == "type" { return try typeMember(component, type) }
            throw CommandFailure(
                .notFound, "\(session.renderedPath) is .\(current.name), which carries nothing",
                hint: layout.cases.contains { $0.name == name }
                    ? "it is not .\(name) now" : nil)
        }
        guard let payload = layout.payload(of: spot.view, case: current) else {
            throw notRead()
        }
        let inner = Spot(view: payload, field: nil)
        let isSecret = session.isSecret(current, of: type)
        if case .tuple = TypeShape.of(payload.type) {
            let plan = session.plan(of: payload.type)
            if name == current.name {
                session.push(component)
                return isSecret ? .masked(payload.type) : .spot(inner)
            }
            let place = try field(of: inner, plan, component)
            return isSecret ? .masked(payload.type) : place
        }
        guard name == "0" || name == current.name else {
            throw CommandFailure(
                .notFound, "\(session.renderedPath) is .\(current.name) now and has no .\(name)",
                hint: "`.0` is what it carries")
        }
        session.push(component)
        return isSecret ? .masked(payload.type) : .spot(inner)
    }

    private func text(
        _ view: ValueView, _ component: ValuePath.Component
    ) throws(CommandFailure) -> Place {
        guard case .property(let name) = component, ["count", "isEmpty"].contains(name),
            MetadataLayout.current.has(.strings)
        else { return try typeMember(component, view.type) }
        let isPart = view.type == Substring.self
        let limit = MemoryBlock.largest
        let content =
            isPart
            ? StringStorage.readSubstring(view, limit: limit)
            : StringStorage.read(view, limit: limit)
        guard let content else { throw notRead() }
        guard content.isWhole else {
            throw CommandFailure(
                .bound,
                "\(session.renderedPath) has \(content.byteCount) bytes; the characters of at "
                    + "most \(limit) are counted")
        }
        // The length of a secret would reveal something about it.
        let shown = maker.maskingURLs(in: content.text, isWhole: true) ?? content.text
        return count(shown.count, component)
    }

    func made(
        _ component: ValuePath.Component, _ type: Any.Type, _ kind: ValueNode.Kind,
        _ text: String
    ) -> Place {
        session.push(component)
        return .made(ValueNode(type: TypeNames.name(of: type), kind: kind, text: text))
    }

    /// The pseudo member `type`, which every value has; any other name is an error.
    func typeMember(
        _ component: ValuePath.Component, _ type: Any.Type
    ) throws(CommandFailure) -> Place {
        guard case .property(let name) = component else { throw noCollection(type, component) }
        guard name == "type" else { throw noProperty(name, type) }
        return made(component, Any.Type.self, .opaque, TypeNames.name(of: type) + ".self")
    }

    func noCollection(_ type: Any.Type, _ component: ValuePath.Component) -> CommandFailure {
        CommandFailure(
            .notFound,
            "\(session.renderedPath) has no \(component): \(TypeNames.name(of: type)) is not a collection",
            hint: "its properties are listed by `show \(session.renderedPath)`")
    }

    private func noProperty(_ name: String, _ type: Any.Type) -> CommandFailure {
        let names = session.names(of: type)
        let all =
            names.isEmpty
            ? "it has no stored properties"
            : "it has " + names.prefix(6).joined(separator: ", ") + (names.count > 6 ? ", …" : "")
        var failure = CommandFailure(
            .notFound,
            "\(session.renderedPath) (\(TypeNames.name(of: type))) has no stored property '\(name)'",
            hint: NearestNames.question(name, among: names) ?? all)
        failure.isUnknownName = true
        return failure
    }
}

extension ReadSession {
    func names(of type: Any.Type) -> [String] { steps(of: type).map(\.text) }

    /// The names of a type's members, each with its type.
    func steps(of type: Any.Type) -> [CompletedStep] {
        switch TypeShape.of(type) {
        case .object, .structure, .range:
            plan(of: type).map { CompletedStep($0.field.shownName, of: $0.field.type) }
        case .tuple(let fields):
            fields.map { CompletedStep(NodeMaker.step($0.shownName), of: $0.type) }
        default: Self.counted(type).map { CompletedStep($0, Self.countedTypes[$0] ?? "") }
        }
    }

    private static let countedTypes = ["count": "Int", "isEmpty": "Bool"]

    private static func counted(_ type: Any.Type) -> [String] {
        switch TypeShape.of(type) {
        case .array, .slice, .inlineArray:
            ["count", "isEmpty", "first", "last", "min", "max", "sum"]
        case .set: ["count", "isEmpty", "first", "min", "max", "sum"]
        case .dictionary: ["count", "isEmpty", "keys", "values", "min", "max", "sum"]
        case .string, .substring: ["count", "isEmpty"]
        default: []
        }
    }
}
#endif
