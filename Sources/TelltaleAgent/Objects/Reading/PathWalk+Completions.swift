#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

extension PathWalk {
    /// The completions after a place that start with `prefix`: names, or components in brackets if the prefix
    /// starts with a bracket. For the prefix `=`, the values the place can be set to, if its type has few.
    ///
    /// - Throws: `.notFound` if the place is nil.
    func completions(
        at place: Place, prefix: String, max: Int
    ) throws(CommandFailure) -> [CompletedStep] {
        let max = Swift.max(max, 0)
        if prefix == "=" { return Array(values(of: place).prefix(max)) }
        var steps: [CompletedStep]
        switch try settle(place) {
        case .object(_, let type):
            guard !session.isSecret(type), !prefix.hasPrefix("[") else { return [] }
            steps = session.steps(of: type)
        case .spot(let spot):
            guard !session.isSecret(spot.view.type) else { return [] }
            steps =
                prefix.hasPrefix("[")
                ? brackets(of: spot.view, prefix: prefix, max: max) : names(of: spot.view)
        case .masked, .made, .property, .elements: return []
        }
        for index in steps.indices where !steps[index].text.hasPrefix("[") {
            steps[index].text = NameFormat.typed(steps[index].text)
        }
        return Array(steps.filter { $0.text.hasPrefix(prefix) }.prefix(max))
    }

    private func values(of place: Place) -> [CompletedStep] {
        guard case .spot(let spot) = place else { return [] }
        return CompletedStep.values(of: spot.view.type) { session.isSecret($0) }
    }

    private func names(of view: ValueView) -> [CompletedStep] {
        guard case .enumeration(let layout) = TypeShape.of(view.type),
            let current = layout.currentCase(of: view), let payload = current.payload
        else {
            return session.steps(of: view.type).map {
                CompletedStep(NodeMaker.step($0.text), $0.type)
            }
        }
        if case .tuple(let fields) = TypeShape.of(payload) {
            return fields.map { CompletedStep(NodeMaker.step($0.shownName), of: $0.type) }
        }
        return [CompletedStep("0", of: payload)]
    }

    private func brackets(of view: ValueView, prefix: String, max: Int) -> [CompletedStep] {
        brackets(of: view, beginning: prefix, max: max).map {
            CompletedStep($0, elementType(of: view.type))
        }
    }

    /// The type name of an element, or of a dictionary's value.
    private func elementType(of type: Any.Type) -> String {
        switch TypeShape.of(type) {
        case .array(let element), .slice(let element), .inlineArray(_, let element),
            .set(let element), .dictionary(_, let element):
            TypeNames.name(of: element)
        default: ""
        }
    }

    private func brackets(of view: ValueView, beginning prefix: String, max: Int) -> [String] {
        if let storage = NodeMaker.array(view) {
            // Any index that starts with `12` completes `[12`; the first ones are enough.
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
