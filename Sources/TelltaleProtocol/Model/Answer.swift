#if TELLTALE_COMPILED
/// What a command answers. On the wire the answer's own fields with a `kind` beside them.
public enum Answer: Codable, Sendable, Equatable {
    /// To `hello`.
    case hello(HelloAnswer)
    /// To `objects`.
    case objects(ObjectsAnswer)
    /// To `show`.
    case value(ValueAnswer)
    /// To `get`: rendered as the value alone, as it would be typed.
    case plain(ValueAnswer)
    /// To `set` and `undo`.
    case change(ChangeAnswer)
    /// To `changes`.
    case changes(ChangesAnswer)
    /// To `call`.
    case call(CallAnswer)
    /// To `actions`.
    case actions(ActionsAnswer)
    /// To `queues`.
    case queues(QueuesAnswer)
    /// To `threads`.
    case threads(ThreadsAnswer)
    /// To `stack`.
    case stack(StackAnswer)
    /// To `queue`.
    case queue(QueueAnswer)
    /// To `groups`.
    case groups(GroupsAnswer)
    /// To `semaphores`.
    case semaphores(SemaphoresAnswer)
    /// To `timers`.
    case timers(TimersAnswer)
    /// To `operations`.
    case operations(OperationsAnswer)
    /// To `tasks`.
    case tasks(TasksAnswer)
    /// To `actors`.
    case actors(ActorsAnswer)
    /// To `stuck`.
    case stuck(StuckAnswer)
    /// To `suspend`, `resume`, `cancel` and `watch`.
    case control(ControlAnswer)
    /// To `status`.
    case status(StatusAnswer)
    /// To `info`.
    case info(InfoAnswer)
    /// To `dump`.
    case dump(DumpAnswer)
    /// To `help`.
    case help(HelpAnswer)
    /// To `complete`.
    case completion(CompletionAnswer)

    private enum CodingKeys: String, CodingKey { case kind }

    /// The word that stands for the case on the wire.
    public var kind: String {
        switch self {
        case .hello: "hello"
        case .objects: "objects"
        case .value: "value"
        case .plain: "plain"
        case .change: "change"
        case .changes: "changes"
        case .call: "call"
        case .actions: "actions"
        case .queues: "queues"
        case .threads: "threads"
        case .stack: "stack"
        case .queue: "queue"
        case .groups: "groups"
        case .semaphores: "semaphores"
        case .timers: "timers"
        case .operations: "operations"
        case .tasks: "tasks"
        case .actors: "actors"
        case .stuck: "stuck"
        case .control: "control"
        case .status: "status"
        case .info: "info"
        case .dump: "dump"
        case .help: "help"
        case .completion: "completion"
        }
    }

    /// Reads an answer of any kind.
    ///
    /// - Parameter decoder: Where from.
    /// - Throws: `DecodingError` for a kind that this version does not know.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let kind = try container.decode(String.self, forKey: .kind)
        switch kind {
        case "hello": self = .hello(try HelloAnswer(from: decoder))
        case "objects": self = .objects(try ObjectsAnswer(from: decoder))
        case "value": self = .value(try ValueAnswer(from: decoder))
        case "plain": self = .plain(try ValueAnswer(from: decoder))
        case "change": self = .change(try ChangeAnswer(from: decoder))
        case "changes": self = .changes(try ChangesAnswer(from: decoder))
        case "call": self = .call(try CallAnswer(from: decoder))
        case "actions": self = .actions(try ActionsAnswer(from: decoder))
        case "queues": self = .queues(try QueuesAnswer(from: decoder))
        case "threads": self = .threads(try ThreadsAnswer(from: decoder))
        case "stack": self = .stack(try StackAnswer(from: decoder))
        case "queue": self = .queue(try QueueAnswer(from: decoder))
        case "groups": self = .groups(try GroupsAnswer(from: decoder))
        case "semaphores": self = .semaphores(try SemaphoresAnswer(from: decoder))
        case "timers": self = .timers(try TimersAnswer(from: decoder))
        case "operations": self = .operations(try OperationsAnswer(from: decoder))
        case "tasks": self = .tasks(try TasksAnswer(from: decoder))
        case "actors": self = .actors(try ActorsAnswer(from: decoder))
        case "stuck": self = .stuck(try StuckAnswer(from: decoder))
        case "control": self = .control(try ControlAnswer(from: decoder))
        case "status": self = .status(try StatusAnswer(from: decoder))
        case "info": self = .info(try InfoAnswer(from: decoder))
        case "dump": self = .dump(try DumpAnswer(from: decoder))
        case "help": self = .help(try HelpAnswer(from: decoder))
        case "completion": self = .completion(try CompletionAnswer(from: decoder))
        default:
            throw DecodingError.dataCorruptedError(
                forKey: .kind, in: container,
                debugDescription: "an answer of kind '\(kind)' is not known to this version")
        }
    }

    /// Writes the answer's fields and its kind.
    ///
    /// - Parameter encoder: Where to.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        switch self {
        case .hello(let answer): try answer.encode(to: encoder)
        case .objects(let answer): try answer.encode(to: encoder)
        case .value(let answer), .plain(let answer): try answer.encode(to: encoder)
        case .change(let answer): try answer.encode(to: encoder)
        case .changes(let answer): try answer.encode(to: encoder)
        case .call(let answer): try answer.encode(to: encoder)
        case .actions(let answer): try answer.encode(to: encoder)
        case .queues(let answer): try answer.encode(to: encoder)
        case .threads(let answer): try answer.encode(to: encoder)
        case .stack(let answer): try answer.encode(to: encoder)
        case .queue(let answer): try answer.encode(to: encoder)
        case .groups(let answer): try answer.encode(to: encoder)
        case .semaphores(let answer): try answer.encode(to: encoder)
        case .timers(let answer): try answer.encode(to: encoder)
        case .operations(let answer): try answer.encode(to: encoder)
        case .tasks(let answer): try answer.encode(to: encoder)
        case .actors(let answer): try answer.encode(to: encoder)
        case .stuck(let answer): try answer.encode(to: encoder)
        case .control(let answer): try answer.encode(to: encoder)
        case .status(let answer): try answer.encode(to: encoder)
        case .info(let answer): try answer.encode(to: encoder)
        case .dump(let answer): try answer.encode(to: encoder)
        case .help(let answer): try answer.encode(to: encoder)
        case .completion(let answer): try answer.encode(to: encoder)
        }
    }
}
#endif
