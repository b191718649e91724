#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// The object at the end of a path, whose holders are asked for.
struct SoughtObject {
    let address: UInt
    let entry: InstancesAnswer.Entry

    /// - Throws: `.notFound` where no object stands there, `.gone` where it has ended.
    init(_ path: String, in context: CommandContext) throws(CommandFailure) {
        let limits = context.agent.readLimits(until: context.deadline, depth: 0, elements: 0)
        let answer = try PathReading(context: context).read(path, limits: limits, snapshot: false)
        guard let address = answer.value.address.flatMap({ UInt($0.dropFirst(2), radix: 16) }),
            answer.value.kind == .object, let word = GuardedMemory.load(UInt.self, at: address)
        else {
            throw CommandFailure(
                .unsupported, "\(path.escaped(limit: 100)) is no object, and nothing refers to it",
                hint: "`instances TYPE` finds objects; `show` gives them numbers")
        }
        self.address = address
        entry = InstancesAnswer.Entry(
            handle: context.agent.handles.handle(
                found: address, word: word, typeName: answer.value.type),
            type: answer.value.type, address: Quantity.address(address), values: "")
    }

    func holders(in context: CommandContext) throws(CommandFailure) -> ObjectHolders {
        try ObjectHolders(
            of: address, in: context.capture([.threads, .queues, .tasks]), agent: context.agent,
            until: context.answerDeadline)
    }
}
#endif
