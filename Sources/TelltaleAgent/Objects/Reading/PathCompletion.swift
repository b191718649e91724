#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// Completes half-typed paths from the live object graph.
struct PathCompletion {
    let context: CommandContext

    func complete(_ text: String) throws(CommandFailure) -> CompletionAnswer {
        let (stem, prefix) = Self.split(text)
        let actions = context.agent.shared.actions.present.map {
            CompletedStep(
                $0.name + "(", "(\($0.renderedParameters.joined(separator: ", "))) -> \($0.result)")
        }
        var steps: [CompletedStep]
        if stem.isEmpty {
            let objects = context.agent.shared.objects.present.map {
                CompletedStep($0.name, $0.typeName)
            }
            steps = (objects + actions).filter { $0.text.hasPrefix(prefix) }
            steps += RootSearch(context: context).names(beginning: prefix).map { CompletedStep($0) }
        } else {
            // Actions are named as if they were members: `photos.add(`.
            steps = actions.filter { $0.text.hasPrefix(text) }
            steps += (try? members(of: stem, prefix: prefix)) ?? []
        }
        return CompletionAnswer(steps)
    }

    /// The values that a property can be set to, if its type has few.
    func values(of path: String) throws(CommandFailure) -> CompletionAnswer {
        let target = try PathReading(context: context).resolve(path)
        let steps = names(at: target, prefix: "=")
        // In the order of the type's declaration.
        return CompletionAnswer(
            candidates: steps.map(\.text), types: steps.map(\.type), isCut: false)
    }

    // Splits the text after its last dot or bracket, into the part before and the part being typed.
    private static func split(_ text: String) -> (stem: String, prefix: String) {
        guard let cut = text.lastIndex(where: { $0 == "." || $0 == "[" }) else {
            return ("", text)
        }
        let after = text.index(after: cut)
        return (String(text[..<after]), String(text[after...]))
    }

    private func members(of stem: String, prefix: String) throws(CommandFailure) -> [CompletedStep]
    {
        let base = String(stem.dropLast())
        let target = try PathReading(context: context).resolve(base)
        let typed = stem.last == "[" ? "[" + prefix : prefix
        return names(at: target, prefix: typed).map { step in
            let separator = step.text.hasPrefix("[") ? "" : "."
            return CompletedStep(base + separator + step.text, step.type)
        }
    }

    private func names(at target: PathReading.Target, prefix typed: String) -> [CompletedStep] {
        var limits = context.agent.readLimits(until: context.ownerDeadline)
        let entry = target.entry
        if entry.isFound { limits.takesLocks = false }
        // A completion does not run host code that has not been requested before.
        if entry.isMade {
            guard entry.refusal(in: context.agent.mode) == nil,
                context.agent.trials.isDone(entry.code, on: entry.owner)
            else { return [] }
        }
        let bounds = limits
        let masks = context.agent.masks
        let call = HostCall<[CompletedStep]>.on(
            entry.owner, .read, in: entry.bulkhead(for: .read), workers: context.agent.workers,
            until: context.ownerDeadline
        ) {
            let reader = ValueReader(limits: bounds, masks: masks, handles: nil)
            func completions(of root: ReadRoot) -> [CompletedStep] {
                reader.completions(
                    of: root, rootName: entry.name, path: target.path, prefix: typed,
                    max: CompleteCommand.limit + 1)
            }
            switch entry.target {
            case .object(let reference):
                let found = try? reference.withAddress { completions(of: .object(at: $0)) }
                return found ?? []
            case .variable(let root):
                return (try? root.readRoot()).map(completions) ?? []
            case .closure(let make, _):
                return (make?.value?()).map { completions(of: .value($0)) } ?? []
            }
        }
        guard case .finished(let names) = call else { return [] }
        return names
    }
}

/// The completions of a call's argument: its label, and its values if its type has few; and the signatures of
/// the call, as hints.
struct ArgumentCompletion {
    let context: CommandContext

    /// The completions of the argument at `index`, counted from 0, of `call`, the text before the
    /// parenthesis.
    func complete(_ call: String, index: Int) -> CompletionAnswer {
        let masks = context.agent.masks
        var steps: [CompletedStep] = []
        var hints: [String] = []
        func add(_ label: String?, _ type: Any.Type) {
            if let label { steps.append(CompletedStep("\(label): ", of: type)) }
            // The cases of a secret's type would reveal something about it.
            if let label, masks.masks(name: label, of: type) { return }
            steps += CompletedStep.values(of: type) { masks.masks(type: $0) }
        }
        if let action = context.agent.shared.actions.entry(call) {
            hints.append(action.signature)
            if action.types.indices.contains(index) {
                add(action.argumentName(index), action.types[index])
            }
        } else if let method = try? MethodCalling(call, in: context) {
            for signature in method.signatures {
                hints.append(signature.rendered)
                guard signature.parameters.indices.contains(index) else { continue }
                add(signature.parameters[index].label, signature.parameters[index].type)
            }
        }
        return CompletionAnswer(steps, hints: hints)
    }
}

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

/// The type names offered for completion: the types the program declares, and the classes with objects on the
/// heap.
struct TypeCompletion {
    let context: CommandContext

    /// The maximum number of classes named.
    private static let most = 4096

    var names: [String] {
        let declared = LoadedImages.read().map { ProgramTypes.all($0).map(\.name) } ?? []
        guard let census = try? HeapCensus.counted(until: context.answerDeadline) else {
            return declared
        }
        let names = HeapNames(census)
        let counted = census.rows.prefix(Self.most).compactMap { row -> String? in
            guard let name = names.name(of: row), name.kind == "class", !name.isAgents else {
                return nil
            }
            return name.text
        }
        return declared + counted
    }
}
#endif
