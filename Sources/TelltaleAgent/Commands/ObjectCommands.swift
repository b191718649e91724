#if TELLTALE_AGENT
import Dispatch
import TelltaleProtocol
import TelltaleSystem

/// `objects`: what is registered.
enum ObjectsCommand: AgentCommand {
    static let name = "objects"

    static func run(
        _ parameters: NoParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        .objects(ObjectsAnswer(objects: context.agent.shared.objects.all.map(Self.row)))
    }

    private static func row(_ entry: RegistryEntry) -> ObjectsAnswer.Entry {
        var state = "value"
        var address: String?
        if let reference = entry.reference {
            address = reference.address.map { "0x" + String($0, radix: 16) }
            state = address == nil ? "gone" : "alive"
        }
        return ObjectsAnswer.Entry(
            name: entry.name, type: entry.typeName, owner: entry.owner.description,
            state: state, address: address)
    }
}

/// `show`: a value as a tree.
enum ShowCommand: AgentCommand {
    static let name = "show"

    static func run(
        _ parameters: ShowParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let limits = context.agent.readLimits(
            until: context.deadline, depth: parameters.depth, elements: parameters.limit)
        var answer = try PathReading(context: context).read(
            parameters.path, limits: limits, snapshot: parameters.snapshot ?? false)
        if parameters.describe == true {
            answer.value.note = try PathReading(context: context).describe(parameters.path)
        }
        return .value(answer)
    }
}

/// `get`: a value alone, as it would be typed.
enum GetCommand: AgentCommand {
    static let name = "get"

    static func run(
        _ parameters: GetParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let limits = context.agent.readLimits(until: context.deadline)
        return .plain(
            try PathReading(context: context).read(
                parameters.path, limits: limits, snapshot: false))
    }
}

/// `complete`: how a half-typed path goes on.
enum CompleteCommand: AgentCommand {
    static let name = "complete"
    /// The most candidates that are sent; a terminal shows no more.
    static let limit = 200

    static func run(
        _ parameters: CompletionParameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        guard let kind = parameters.of else {
            return .completion(try PathCompletion(context: context).complete(parameters.path))
        }
        let names: [String]
        switch kind {
        case "queue": names = QueueNames(context: context).beginning(with: parameters.path)
        case "thread": names = DirectoryListing.names(in: "/proc/self/task")
        default: names = []
        }
        let fitting = Set(names.filter { $0.hasPrefix(parameters.path) }).sorted()
        return .completion(
            CompletionAnswer(
                candidates: Array(fitting.prefix(limit)), isCut: fitting.count > limit))
    }
}
#endif
