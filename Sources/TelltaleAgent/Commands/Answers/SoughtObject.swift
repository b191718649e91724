#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// The object at the end of a path, whose referrers are searched for.
struct SoughtObject {
    let address: UInt
    let entry: InstancesAnswer.Entry

    /// - Throws: `.notFound` if the path leads to no object, `.gone` if the object has been deallocated.
    init(_ path: String, in context: CommandContext) throws(CommandFailure) {
        let limits = context.agent.readLimits(until: context.deadline, depth: 0, elements: 0)
        let answer = try PathReading(context: context).read(path, limits: limits, snapshot: false)
        guard let address = answer.value.address.flatMap({ UInt($0.dropFirst(2), radix: 16) }),
            answer.value.kind == .object, let word = GuardedMemory.load(UInt.self, at: address)
        else { throw Self.refusal(of: answer.value, at: path) }
        self.address = address
        // One handle for one object in an answer, and the one that it was asked for by.
        let typed = path.hasPrefix("#") ? Int(path.dropFirst()) : nil
        entry = InstancesAnswer.Entry(
            handle: typed ?? answer.value.handle
                ?? context.agent.handles.handle(
                    found: address, word: word, typeName: answer.value.type),
            type: answer.value.type, address: Quantity.address(address), values: "")
    }

    /// Returns the reason why the value at a path is not an object whose referrers can be searched for.
    ///
    /// An unreadable value is not reported as "not an object": it was one that has been deallocated in the
    /// meantime.
    static func refusal(of value: ValueNode, at path: String) -> CommandFailure {
        let shown = path.escaped(limit: 100)
        let hint = "`instances TYPE` finds objects; `show` gives them numbers"
        switch value.kind {
        case .unavailable, .object:
            let reason = value.note ?? "its memory can't be read any more"
            return CommandFailure(.gone, "\(shown) is gone, or changing: \(reason)", hint: hint)
        default:
            return CommandFailure(
                .unsupported, "\(shown) is not an object, and nothing refers to it", hint: hint)
        }
    }

    func holders(in context: CommandContext) throws(CommandFailure) -> ObjectHolders {
        try ObjectHolders(
            of: address, in: context.capture([.threads, .queues, .tasks]), agent: context.agent,
            until: context.answerDeadline)
    }
}
#endif
