#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

extension EvalCommand: AgentCommand {
    static let hasTargets = true

    static func targets(_ parameters: Parameters, in context: CommandContext) -> [String] {
        parameters.compiled?.names ?? []
    }

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        // Source code can do what any other command does.
        try context.checkUnrestricted(description.name)
        guard let compiled = parameters.compiled else {
            var answer = Answer()
            answer.host = host(in: context)
            return answer
        }
        let entries = try entries(compiled.names, in: context)
        let owner = try owner(parameters.on, entries, compiled.isAsync, in: context)
        return try EvaluationRun(
            context: context, code: parameters.code, compiled: compiled, owner: owner
        ).answer()
    }

    private static func host(in context: CommandContext) -> EvalHost {
        var host = EvalHost()
        host.buildID = context.agent.buildID
        host.session = context.connection
        host.bias = String(LoadedImages.mainBias ?? 0, radix: 16)
        host.variables = context.agent.shared.objects.present.compactMap { entry in
            guard !entry.isMade, !entry.isGone else { return nil }
            var variable = EvalHost.Variable()
            variable.name = entry.name
            variable.type = entry.qualifiedTypeName
            variable.owner = entry.ownerDescription
            return variable
        }
        return host
    }

    private static func entries(
        _ names: [String], in context: CommandContext
    ) throws(CommandFailure) -> [RegistryEntry] {
        var entries: [RegistryEntry] = []
        for name in names {
            guard let entry = context.agent.shared.objects.entry(name) else {
                throw CommandFailure(
                    .notFound, "nothing is registered as `\(name.escaped(limit: 100))`",
                    hint: "`objects` lists what is")
            }
            guard !entry.isGone else { throw ObjectReading.gone(entry) }
            entries.append(entry)
        }
        return entries
    }

    /// The executor of the code: the one that was asked for, or the owner of what it names.
    private static func owner(
        _ asked: String?, _ entries: [RegistryEntry], _ isAsync: Bool, in context: CommandContext
    ) throws(CommandFailure) -> Owner {
        if asked == "none" || isAsync { return try taskOwner(asked, entries, isAsync) }
        if let asked { return try CallCommand.owner(asked, in: context) ?? .none }
        let guarded = entries.filter { $0.owner.isExclusive }
        guard let first = guarded.first else { return .none }
        guard guarded.allSatisfy({ $0.owner.isSame(as: first.owner) }) else {
            throw CommandFailure(
                .usage, "the code names objects of several owners: \(list(guarded))",
                hint:
                    "--on NAME runs it on that one's owner, and --on none on none: then the others, "
                    + "or all, are used while their owners may change them")
        }
        return first.owner
    }

    /// Code that awaits leaves each owner at that point, so it runs on none.
    private static func taskOwner(
        _ asked: String?, _ entries: [RegistryEntry], _ isAsync: Bool
    ) throws(CommandFailure) -> Owner {
        guard asked != "none" else { return .none }
        guard asked == nil else {
            throw CommandFailure(
                .usage, "code with `await` is a task, which leaves its owner: --on can't hold it",
                hint: "use the owner in the code, as the service does, with --on none")
        }
        let guarded = entries.filter { $0.owner.isExclusive && !$0.owner.isIsolation }
        guard guarded.isEmpty else {
            throw CommandFailure(
                .usage, "code with `await` can't stay on the owner of \(list(guarded))",
                hint: "split it, or --on none uses the object while its owner may change it")
        }
        return .none
    }

    private static func list(_ entries: [RegistryEntry]) -> String {
        entries.map { "\($0.name) (\($0.ownerDescription))" }.joined(separator: ", ")
    }
}

extension Owner {
    /// True if code that doesn't await can be run on the owner.
    var isExclusive: Bool {
        switch self {
        case .queue, .lock, .mainActor: true
        case .none, .closure, .actor: false
        }
    }

    /// Returns whether the other one is the same owner.
    func isSame(as other: Owner) -> Bool {
        switch (self, other) {
        case (.queue(let queue), .queue(let another)): queue === another
        case (.lock(let lock), .lock(let another)): lock === another
        case (.mainActor, .mainActor): true
        default: false
        }
    }
}
#endif
