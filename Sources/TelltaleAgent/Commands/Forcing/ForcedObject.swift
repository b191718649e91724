#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// An object of Dispatch's that a last resort is done to.
///
/// Nothing at an address is called that isn't proven to be such an object: its first word has to be that of
/// its class, and all else that is known of one has to fit. That it is not freed between that and the call
/// follows from its state, which is required: a semaphore has a thread in its wait, a group that was entered
/// holds itself, and so does a timer that is armed.
struct ForcedObject<Facts> {
    let context: CommandContext
    /// `semaphore`, and the command that lists them.
    let kind: String
    let list: String
    let part: DispatchLayout.Part
    let read: (DispatchReader, UInt) -> Facts?

    /// What is read again and again until it is done.
    struct Found {
        let address: UInt
        let facts: Facts
        let reader: DispatchReader
    }

    /// Finds what an address, a path or a handle names.
    func find(_ text: String) throws(CommandFailure) -> Found {
        let layout = DispatchLayout.known(by: context.deadline)
        guard layout.has(.queues), layout.has(part) else {
            throw CommandFailure(
                .unsupported, layout.notes.first ?? "not available: \(part.rawValue)")
        }
        let reader = DispatchReader(layout: layout, deadline: context.deadline)
        let outer = try address(text)
        for address in [outer, DispatchKind.wrapped(by: outer)].compactMap({ $0 }) {
            if let facts = read(reader, address) {
                return Found(address: address, facts: facts, reader: reader)
            }
        }
        throw CommandFailure(
            .notFound, "\(text.escaped(limit: 100)) is no \(kind), or none any more",
            hint: "`\(list)` lists them")
    }

    private func address(_ text: String) throws(CommandFailure) -> UInt {
        if text.hasPrefix("0x") {
            guard let address = UInt(text.dropFirst(2), radix: 16), address % 8 == 0 else {
                throw CommandFailure(.usage, "'\(text.escaped(limit: 40))' is no address")
            }
            return address
        }
        let limits = context.agent.readLimits(until: context.ownerDeadline, depth: 0, elements: 0)
        let answer = try PathReading(context: context).read(text, limits: limits, snapshot: false)
        guard let found = answer.value.address, let address = UInt(found.dropFirst(2), radix: 16)
        else {
            throw CommandFailure(
                .wrongType, "\(text.escaped(limit: 100)) is no \(kind)",
                hint: "`\(list)` lists them")
        }
        return address
    }

    /// Asks that it be confirmed, with what it breaks.
    func confirm(
        _ parameters: ForcedParameters, _ command: CommandDescription, _ warning: String
    ) throws(CommandFailure) {
        guard parameters.isConfirmed != true else { return }
        throw CommandFailure(
            .unconfirmed, "`\(command.name)` is a last resort: \(warning)",
            hint: "`\(command.name) --yes \(parameters.target.escaped(limit: 100))` does it")
    }

    /// Has what was done among the changes, and says it.
    func answer(
        _ command: CommandDescription, _ found: Found, _ parameters: ForcedParameters,
        result: String, note: String
    ) -> ControlAnswer {
        let address = Quantity.address(found.address)
        let typed = SecretURL.masking(parameters.target) ?? parameters.target
        let target = "\(kind) \(address)" + (typed == address ? "" : " (\(typed))")
        let record = context.agent.changes.addForced(
            target, result: result, by: context.peer, command: command.name)
        return ControlAnswer(
            action: command.name, target: target, result: result, note: note,
            change: record.number)
    }
}
#endif
