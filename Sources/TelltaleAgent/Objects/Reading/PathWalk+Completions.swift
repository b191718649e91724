#if TELLTALE_AGENT
import TelltaleProtocol

extension PathWalk {
    /// What can follow a place and begins with `prefix`: names, or steps in brackets if that begins
    /// with one; for `=` what the place can be set to, where its type has few values.
    ///
    /// - Throws: `.notFound` if the place is nil.
    func completions(
        at place: Place, prefix: String, max: Int
    ) throws(CommandFailure) -> [String] {
        let max = Swift.max(max, 0)
        if prefix == "=" { return Array(values(of: place).prefix(max)) }
        let steps: [String]
        switch try settle(place) {
        case .object(_, let type):
            guard !session.isSecret(type), !prefix.hasPrefix("[") else { return [] }
            steps = session.names(of: type)
        case .spot(let spot):
            guard !session.isSecret(spot.view.type) else { return [] }
            steps =
                prefix.hasPrefix("[")
                ? brackets(of: spot.view, prefix: prefix, max: max) : names(of: spot.view)
        case .masked, .made, .property, .elements: return []
        }
        let rendered = steps.map { $0.hasPrefix("[") ? $0 : NameFormat.typed($0) }
        return Array(rendered.filter { $0.hasPrefix(prefix) }.prefix(max))
    }

    /// `nil`, `true` and `false`, the cases of an enumeration.
    private func values(of place: Place) -> [String] {
        guard case .spot(let spot) = place else { return [] }
        var type = spot.view.type
        var values: [String] = []
        // A type wraps another only so many times.
        for _ in 0..<8 {
            guard !session.isSecret(type) else { return [] }
            switch TypeShape.of(type) {
            case .optional(let wrapped):
                if values.isEmpty { values.append("nil") }
                type = wrapped
            case .mutex(let value, _): type = value
            case .enumeration(let layout):
                return values
                    + layout.cases.map {
                        "." + NameFormat.typed($0.name) + ($0.hasPayload ? "(" : "")
                    }
            case .scalar: return type == Bool.self ? values + ["false", "true"] : values
            default: return values
            }
        }
        return values
    }

    private func names(of view: ValueView) -> [String] {
        guard case .enumeration(let layout) = TypeShape.of(view.type),
            let current = layout.currentCase(of: view), let payload = current.payload
        else { return session.names(of: view.type).map(NodeMaker.step) }
        if case .tuple(let fields) = TypeShape.of(payload) {
            return fields.map { NodeMaker.step($0.shownName) }
        }
        return ["0"]
    }

    private func brackets(of view: ValueView, prefix: String, max: Int) -> [String] {
        if let storage = NodeMaker.array(view) {
            // `[12` goes on with any index that begins so: the first of them are enough.
            var steps: [String] = []
            for index in 0..<Swift.min(storage.count, 1_000_000) where steps.count < max {
                let step = "[\(index)]"
                if step.hasPrefix(prefix) { steps.append(step) }
                session.spend(0)
                if session.stop != nil { break }
            }
            return steps
        }
        guard let storage = NodeMaker.table(view) else { return [] }
        var steps: [String] = []
        storage.forEach(until: { session.stop != nil }) { position, key, _ in
            let step: String
            if storage.value == nil {
                step = "[\(position)]"
                session.spend(1)
            } else {
                let key = DictionaryKey(key, maker: maker)
                guard key.step != nil else { return true }
                step = key.label
            }
            if step.hasPrefix(prefix) { steps.append(step) }
            return steps.count < max
        }
        return steps
    }
}
#endif
