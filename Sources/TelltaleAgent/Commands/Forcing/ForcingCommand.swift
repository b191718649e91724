#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// A last-resort command: an action on a Dispatch object that the service itself has failed to take.
///
/// The object must be in a state that keeps it alive: a semaphore has a thread in its wait, a group that
/// was entered retains itself, and so does an armed timer. It is read once more right before the call.
/// Between the two, the service may end that state and release the object. Nothing here can close that
/// microsecond, which is one reason why each of these commands asks for a confirmation.
protocol ForcingCommand: AgentCommand
where Parameters == ForcedParameters, Answer == ControlAnswer {
    associatedtype Facts

    /// The kind of object (`semaphore`), and the command that lists such objects.
    static var kind: String { get }
    static var list: String { get }
    static var part: DispatchLayout.Part { get }
    /// The guarantee of the service that the command breaks.
    static var warning: String { get }

    static func facts(of address: UInt, _ reader: DispatchReader) -> Facts?

    /// - Throws: The reason why an object in that state is refused; `name` is the client's name for it.
    static func check(_ facts: Facts, _ name: String) throws(CommandFailure)

    /// Acts on the object, and returns the result and a note.
    static func force(
        _ object: ForcedObject<Facts>
    ) throws(CommandFailure) -> (String, note: String)
}

extension ForcingCommand {
    static func changed(_ parameters: Parameters) -> String? { parameters.target }

    static var hasTargets: Bool { true }

    static func targets(_ parameters: Parameters, in context: CommandContext) -> [String] {
        context.names(ofPath: parameters.target)
    }

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let name = parameters.target.escaped(limit: 100)
        let found = try ForcedObject.find(parameters.target, for: Self.self, in: context)
        try check(found.facts, name)
        guard parameters.isConfirmed == true else {
            throw CommandFailure(
                .unconfirmed, "`\(description.name)` is a last resort: \(warning)",
                hint: "`\(description.name) --yes \(name)` does it")
        }
        guard let facts = facts(of: found.address, found.reader) else {
            throw CommandFailure(.gone, "the \(kind) is gone")
        }
        try check(facts, name)
        let (result, note) = try force(
            ForcedObject(address: found.address, facts: facts, reader: found.reader))
        let address = Quantity.address(found.address)
        let typed = HostLabel.shown(parameters.target)
        let target = "\(kind) \(address)" + (typed == address ? "" : " (\(typed))")
        let record = context.agent.changes.addForced(
            target, result: result, by: context.author, command: description.name)
        return ControlAnswer(
            action: description.name, target: target, result: result, note: note,
            change: record.number)
    }
}
#endif
