#if TELLTALE_AGENT
import TelltaleProtocol

extension NodeMaker {
    /// The node of an enum: its case, and what the case carries.
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
            addFields(session.plan(of: payload.type), of: payload, to: &node, level: level)
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

    /// What `.password("…")` carries.
    private func maskedPayload(of type: Any.Type) -> [ValueNode] {
        guard case .tuple(let fields) = TypeShape.of(type) else { return [masked(type, ".0")] }
        return fields.map { masked($0.type, $0.shownName) }
    }
}
#endif
