#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// A last resort: what the service itself has not done to an object of Dispatch's.
///
/// The object must be in a state in which somebody holds it: a semaphore has a thread in its wait, a group that
/// was entered holds itself, and so does a timer that is armed. It is read once more right before the call. The
/// service may end that state, and let the object go, between the two: a microsecond that nothing here can
/// close, and one reason why each of these asks for a confirmation.
protocol ForcingCommand: AgentCommand
where Parameters == ForcedParameters, Answer == ControlAnswer {
    associatedtype Facts

    /// `semaphore`, and the command that lists them.
    static var kind: String { get }
    static var list: String { get }
    static var part: DispatchLayout.Part { get }
    /// What it breaks.
    static var warning: String { get }

    static func facts(of address: UInt, _ reader: DispatchReader) -> Facts?

    /// - Throws: Why it can't be done to an object in that state; `name` is what was typed for it.
    static func check(_ facts: Facts, _ name: String) throws(CommandFailure)

    /// Does it: what came of it, and what else is to be said.
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
            target, result: result, by: context.peer, command: description.name)
        return ControlAnswer(
            action: description.name, target: target, result: result, note: note,
            change: record.number)
    }
}
#endif
