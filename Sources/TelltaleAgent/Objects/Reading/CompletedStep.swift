#if TELLTALE_AGENT
import TelltaleProtocol

/// How something half-typed can go on, and the type of what stands there then.
struct CompletedStep: Sendable {
    var text: String
    /// Empty where it has none.
    var type: String

    init(_ text: String, _ type: String = "") {
        self.text = text
        self.type = type
    }

    init(_ text: String, of type: Any.Type) { self.init(text, TypeNames.name(of: type)) }

    /// `nil`, `true` and `false`, the cases of an enumeration: what a type's value can be, where there is
    /// little choice.
    static func values(of type: Any.Type, isSecret: (Any.Type) -> Bool) -> [CompletedStep] {
        var type = type
        var values: [CompletedStep] = []
        // A type wraps another only so many times.
        for _ in 0..<8 {
            guard !isSecret(type) else { return [] }
            switch TypeShape.of(type) {
            case .optional(let wrapped):
                if values.isEmpty { values.append(CompletedStep("nil")) }
                type = wrapped
            case .mutex(let value, _): type = value
            case .enumeration(let layout):
                return values
                    + layout.cases.map { entry in
                        let name = "." + NameFormat.typed(entry.name)
                        guard entry.hasPayload else { return CompletedStep(name) }
                        let payload = entry.payload.map { TypeNames.name(of: $0) }
                        return CompletedStep(name + "(", payload ?? "")
                    }
            case .scalar:
                return type == Bool.self
                    ? values + ["false", "true"].map { CompletedStep($0) } : values
            default: return values
            }
        }
        return values
    }
}

extension CompletionAnswer {
    /// Each once, as people count; no more than a terminal shows.
    init(_ steps: [CompletedStep], hints: [String]? = nil) {
        let types = Dictionary(steps.map { ($0.text, $0.type) }) { $0.isEmpty ? $1 : $0 }
        let unique = types.keys.sorted(by: NaturalOrder.isBefore)
        let kept = Array(unique.prefix(CompleteCommand.limit))
        self.init(
            candidates: kept, types: kept.map { types[$0] ?? "" }, hints: hints,
            isCut: unique.count > kept.count)
    }
}
#endif
