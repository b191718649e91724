#if TELLTALE_AGENT
import Dispatch
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime

/// `cancel item`: cancels a waiting work item.
///
/// The agent holds no reference to the item, so the queue is suspended in the meantime: items on a
/// suspended queue stay there. The thread that drains the queue may still have taken off one item just
/// then. So the next item to run is cancelled only if that thread is seen waiting, or there is none.
struct ItemCancelling {
    let context: CommandContext
    private static let items = 10_000

    /// Cancels the item at a hexadecimal address.
    ///
    /// - Throws: ``CommandFailure`` if it is not there, or is not a work item.
    func cancel(_ id: String, on name: String) throws(CommandFailure) -> ControlAnswer {
        let agent = context.agent
        let queue = try HeldQueue.find(name, in: context)
        guard id.hasPrefix("0x"), let address = UInt(id.dropFirst(2), radix: 16) else {
            throw CommandFailure(
                .usage, "'\(id.escaped(limit: 40))' is not the address of an item",
                hint: "`queue \(queue.label.escaped(limit: 60))` shows them")
        }
        try agent.holds.suspend(queue, connection: context.connection, by: context.author)
        defer {
            _ = agent.holds.resume(queue, connection: context.connection, agent: agent)
        }
        let block = try block(at: address, on: queue)
        guard DispatchSymbols.cancel(block) else {
            throw CommandFailure(.unsupported, "work items can't be cancelled here")
        }
        let record = agent.changes.addCall(
            "cancel item \(id) on \(queue.label)", arguments: "()", result: "cancelled",
            by: context.author)
        return ControlAnswer(
            action: "cancel", target: "item \(id)", result: "cancelled",
            note: "it stays in its queue, and is passed over when its turn comes",
            change: record.number)
    }

    private func block(
        at address: UInt, on queue: DispatchQueue
    ) throws(CommandFailure) -> UInt {
        let layout = DispatchLayout.known(by: context.deadline)
        let reader = DispatchReader(layout: layout, deadline: context.deadline)
        let hint = "`queue \(queue.label.escaped(limit: 60))` shows what waits"
        guard layout.has(.items), layout.has(.workItems), layout.has(.states) else {
            throw CommandFailure(
                .unsupported, layout.notes.first ?? "not available: work items")
        }
        guard let inner = QueueKind.inner(queue),
            let facts = reader.queue(at: inner, items: Self.items), facts.suspendCount > 0,
            let index = facts.items.firstIndex(where: { $0.address == address })
        else { throw CommandFailure(.notFound, "no such item waits there", hint: hint) }
        guard facts.items[index].kind == .workItem, let block = reader.workBlock(of: address) else {
            throw CommandFailure(
                .unsupported, "that item is not a DispatchWorkItem: only those can be cancelled",
                hint: hint)
        }
        if index == 0, let owner = facts.owner {
            var capture = context.capturing(.threads)
            capture.threads = { _ in .only([owner]) }
            // The thread must be in a system call: a thread that waits for a page may be about to take the
            // item.
            guard case .waiting(let call)? = capture.take().threads.first?.state,
                !call.arguments.isEmpty
            else {
                throw CommandFailure(
                    .conflict, "it is the next to run, and thread \(owner) may just take it",
                    hint: "try again")
            }
        }
        return block
    }
}
#endif
