#if TELLTALE_AGENT
import TelltaleProtocol

/// Says how a half-typed path can go on, from the live object graph.
struct PathCompletion {
    let context: CommandContext

    func complete(_ text: String) throws(CommandFailure) -> CompletionAnswer {
        let (stem, prefix) = Self.split(text)
        var candidates: [String] = []
        if stem.isEmpty {
            let names =
                context.agent.shared.objects.all.map(\.name)
                + context.agent.shared.actions.all.map { $0.name + "(" }
            candidates = names.filter { $0.hasPrefix(prefix) }
            candidates += RootSearch(context: context).names(beginning: prefix)
        } else {
            // Actions are named as if they were members: `photos.add(`.
            let actions = context.agent.shared.actions.all
            candidates = actions.map { $0.name + "(" }.filter { $0.hasPrefix(text) }
            // Behind the parenthesis stands what it takes; the two together put nothing into the line.
            candidates += actions.filter { $0.name + "(" == text }.map(Self.signature)
            candidates += (try? members(of: stem, prefix: prefix)) ?? []
        }
        let unique = Set(candidates).sorted(by: NaturalOrder.isBefore)
        let limit = CompleteCommand.limit
        return CompletionAnswer(
            candidates: Array(unique.prefix(limit)), isCut: unique.count > limit)
    }

    /// What a property can be set to, where its type has few values.
    func values(of path: String) throws(CommandFailure) -> CompletionAnswer {
        let target = try PathReading(context: context).resolve(path)
        return CompletionAnswer(candidates: names(at: target, prefix: "="), isCut: false)
    }

    /// `photos.add(String, Int)`, with the names that the registration gave.
    private static func signature(_ action: Action) -> String {
        let arguments = action.parameters.enumerated().map { index, type in
            action.argumentName(index).map { "\($0): \(type)" } ?? type
        }
        return "\(action.name)(\(arguments.joined(separator: ", ")))"
    }

    // What stands before the last dot or bracket, with it, and what is being typed.
    private static func split(_ text: String) -> (stem: String, prefix: String) {
        guard let cut = text.lastIndex(where: { $0 == "." || $0 == "[" }) else {
            return ("", text)
        }
        let after = text.index(after: cut)
        return (String(text[..<after]), String(text[after...]))
    }

    private func members(of stem: String, prefix: String) throws(CommandFailure) -> [String] {
        let base = String(stem.dropLast())
        let target = try PathReading(context: context).resolve(base)
        let typed = stem.last == "[" ? "[" + prefix : prefix
        return names(at: target, prefix: typed).map {
            $0.hasPrefix("[") ? base + $0 : base + "." + $0
        }
    }

    private func names(at target: PathReading.Target, prefix typed: String) -> [String] {
        var limits = context.agent.readLimits(until: context.ownerDeadline)
        let entry = target.entry
        if entry.isFound { limits.takesLocks = false }
        let bounds = limits
        let masks = context.agent.masks
        let call = HostCall<[String]>.on(
            entry.owner, .read, in: entry.bulkhead(for: .read), workers: context.agent.workers,
            until: context.ownerDeadline
        ) {
            let reader = ValueReader(limits: bounds, masks: masks, handles: nil)
            func completions(of root: ReadRoot) -> [String] {
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
                return (make.value?()).map { completions(of: .value($0)) } ?? []
            }
        }
        guard case .finished(let names) = call else { return [] }
        return names
    }
}
#endif
