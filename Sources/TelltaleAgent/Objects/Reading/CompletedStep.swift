#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

/// A completion of a half-typed text, and the type of the value it names.
struct CompletedStep: Sendable {
    var text: String
    /// The type's name; empty if there is none.
    var type: String

    init(_ text: String, _ type: String = "") {
        self.text = text
        self.type = type
    }

    init(_ text: String, of type: Any.Type) { self.init(text, TypeNames.name(of: type)) }

    /// The possible values of a type with few of them: `nil`, `true` and `false`, and the cases of an enum.
    static func values(of type: Any.Type, isSecret: (Any.Type) -> Bool) -> [CompletedStep] {
        var type = type
        var values: [CompletedStep] = []
        // Types nest other types only a few levels deep.
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
    /// Makes an answer with each text once, in natural order, and with no more of them than a terminal shows.
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
