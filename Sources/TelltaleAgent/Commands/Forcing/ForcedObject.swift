#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// The Dispatch object that a last-resort command acts on, with the facts read when it was found.
struct ForcedObject<Facts> {
    let address: UInt
    let facts: Facts
    let reader: DispatchReader
}

extension ForcedObject {
    /// Finds the object that an address, a path or a handle names.
    ///
    /// No function is called on an object at an address before it is proven to be of that kind: its first
    /// word must be that of its class, and all other known facts must match.
    static func find<Command: ForcingCommand>(
        _ text: String, for command: Command.Type, in context: CommandContext
    ) throws(CommandFailure) -> ForcedObject where Command.Facts == Facts {
        let layout = DispatchLayout.known(by: context.deadline)
        guard layout.has(.queues), layout.has(command.part) else {
            throw CommandFailure(
                .unsupported, layout.notes.first ?? "not available: \(command.part.rawValue)")
        }
        let reader = DispatchReader(layout: layout, deadline: context.deadline)
        let (outer, kind) = try (address(text, command, context), command.kind)
        for address in [outer, DispatchKind.wrapped(by: outer)].compactMap({ $0 }) {
            if let facts = command.facts(of: address, reader) {
                return ForcedObject(address: address, facts: facts, reader: reader)
            }
        }
        throw CommandFailure(
            .notFound, "\(text.escaped(limit: 100)) is not a \(kind), or no longer one",
            hint: "`\(command.list)` lists them")
    }

    private static func address<Command: ForcingCommand>(
        _ text: String, _ command: Command.Type, _ context: CommandContext
    ) throws(CommandFailure) -> UInt {
        if text.hasPrefix("0x") {
            guard let address = UInt(text.dropFirst(2), radix: 16), address % 8 == 0 else {
                throw CommandFailure(.usage, "'\(text.escaped(limit: 40))' is not an address")
            }
            return address
        }
        let limits = context.agent.readLimits(until: context.ownerDeadline, depth: 0, elements: 0)
        let answer = try PathReading(context: context).read(text, limits: limits, snapshot: false)
        guard let found = answer.value.address, let address = UInt(found.dropFirst(2), radix: 16)
        else {
            throw CommandFailure(
                .wrongType, "\(text.escaped(limit: 100)) is not a \(command.kind)",
                hint: "`\(command.list)` lists them")
        }
        return address
    }
}
#endif
