#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

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
#endif
