#if TELLTALE_COMPILED
extension ValueNode {
    /// The part at the end of some steps, or a count; `nil` if there is none.
    package func part(at steps: [ValuePath.Component]) -> ValueNode? {
        var node = self
        for step in steps {
            guard let next = node.part(step) else { return nil }
            node = next
        }
        return node
    }

    private func part(_ step: ValuePath.Component) -> ValueNode? {
        switch step {
        case .property(let name):
            if let child = children.first(where: { $0.isProperty(name) }) { return child }
            return member(name)
        case .index(let index): return children.first { $0.label == "[\(index)]" }
        case .key(let key): return children.first { $0.label == "[\(key)]" }
        case .range: return nil
        }
    }

    private func isProperty(_ name: String) -> Bool {
        guard let label else { return false }
        return label == name || label.first == "." && label.dropFirst() == name
    }

    private func member(_ name: String) -> ValueNode? {
        let count: Int
        if let number = self.count {
            count = number
        } else if kind == .string, cut == nil,
            case .string(let text) = ExpressionValue(quoted: text ?? "")
        {
            count = text.count
        } else {
            return nil
        }
        switch name {
        case "count": return ValueNode(type: "Int", kind: .scalar, text: String(count))
        case "isEmpty": return ValueNode(type: "Bool", kind: .scalar, text: String(count == 0))
        case "first": return children.first
        case "last" where cut == nil: return children.last
        default: return nil
        }
    }

    /// The reason that a part is missing: the value may have it, and it was not read.
    private func missing(_ step: ValuePath.Component) -> ExpressionFailure {
        guard let cut else { return ExpressionFailure(.notFound, "\(type) has no \(step)") }
        if kind == .string, [.property("count"), .property("isEmpty")].contains(step) {
            return ExpressionValue.isCut
        }
        let isInList =
            switch step {
            case .index(let index): index >= 0 && count.map { index < $0 } != false
            case .key: true
            case .property(let name): ["first", "last"].contains(name) && count != nil
            case .range: true
            }
        guard isInList || count == nil, kind != .string else {
            return ExpressionFailure(.notFound, "\(type) has no \(step)")
        }
        let end =
            cut.reason == "elements"
            ? "not beyond \(Quantity.count(children.count)) elements" : "for the \(cut.reason)"
        return ExpressionFailure(.bound, "\(step) was not read: \(end)")
    }

    /// The value of a part, to be computed with.
    ///
    /// - Throws: `.notFound` if there is none, `.denied` for a secret and for parts below one.
    package func value(
        at steps: [ValuePath.Component]
    ) throws(ExpressionFailure) -> ExpressionValue {
        var node = self
        for step in steps {
            if node.kind == .masked { throw ExpressionValue.masked }
            // `nil` doesn't have the parts that a value would.
            if node.kind == .none { return .none }
            guard let next = node.part(step) else {
                throw node.missing(step)
            }
            node = next
        }
        return try ExpressionValue(node)
    }
}
#endif
