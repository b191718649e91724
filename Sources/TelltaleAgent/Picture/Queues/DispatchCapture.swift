#if TELLTALE_AGENT
import TelltalePicture
import TelltaleRuntime
import TelltaleSystem

/// Reads Dispatch objects at the addresses that a search of the memory has found: queues, groups,
/// semaphores and timers, registered or not.
struct DispatchCapture {
    /// The queue for which more items are read than for the others.
    struct Focus: Sendable {
        var items: Int
        /// Selects the queue.
        var find: @Sendable ([QueueFacts]) -> QueueFacts?
    }

    let layout: DispatchLayout
    let parts: Picture.Parts
    /// Addresses of queues that the caller retains (see ``QueueKind/inner(_:)``).
    var held: [UInt] = []
    /// The number of waiting items that are described for each queue.
    var items = 16
    var focus: Focus?

    static let all: Picture.Parts = [.queues, .groups, .semaphores, .timers]

    var words: [FirstWord] {
        guard layout.has(.queues) else { return [] }
        var kinds: Set<DispatchLayout.Kind> = []
        if parts.contains(.queues) { kinds.formUnion([.serial, .concurrent]) }
        if parts.contains(.groups) { kinds.insert(.group) }
        if parts.contains(.semaphores) { kinds.insert(.semaphore) }
        if parts.contains(.timers) { kinds.insert(.source) }
        return layout.words(of: kinds)
    }

    /// Reads the objects that were found, grouped by their first word; those that are not read by
    /// `deadline` are left out, and the picture records that.
    func read(
        _ found: [FirstWord: [UInt]], into picture: inout Picture, until deadline: MonotonicTime
    ) {
        picture.add(layout.notes, to: Self.all, isCut: layout.isBlind)
        guard layout.has(.queues) else { return }
        let reader = DispatchReader(
            layout: layout, deadline: deadline, oldestWait: SharedState.current.waitTimes.oldest)
        func places(_ kinds: Set<DispatchLayout.Kind>) -> [UInt] {
            layout.words(of: kinds).flatMap { found[$0] ?? [] }
        }
        if parts.contains(.queues) {
            picture.hasQueueItems = layout.has(.items)
            picture.hasQueueStates = layout.has(.states)
            var seen: Set<UInt> = []
            let all =
                [DispatchSymbols.mainQueue] + held
                + places([.serial, .concurrent]).sorted() + DispatchReader.globalQueues
            picture.queues = read(
                .queues, "queues", all.filter { seen.insert($0).inserted }, deadline, &picture
            ) { reader.queue(at: $0, items: items) }
            addFocus(to: &picture, reader)
        }
        if parts.contains(.groups) {
            picture.groups = read(
                .groups, "groups", places([.group]), deadline, &picture, reader.group)
        }
        if parts.contains(.semaphores) {
            picture.semaphores = read(
                .semaphores, "semaphores", places([.semaphore]), deadline, &picture,
                reader.semaphore)
        }
        if parts.contains(.timers) {
            picture.timers = read(
                .timers, "timers", places([.source]), deadline, &picture, reader.timer)
            let timers = Set(picture.timers.map(\.address))
            picture.sources = places([.source]).filter { !timers.contains($0) }
        }
    }

    private func addFocus(to picture: inout Picture, _ reader: DispatchReader) {
        guard let focus, let queue = focus.find(picture.queues),
            let index = picture.queues.firstIndex(where: { $0.address == queue.address }),
            let whole = reader.queue(at: queue.address, items: focus.items)
        else { return }
        picture.queues[index] = whole
    }

    /// Returns the results of `read` for the addresses; those that are not read by the deadline are left
    /// out, and the picture records that.
    private func read<Facts>(
        _ part: Picture.Parts, _ what: String, _ addresses: [UInt], _ deadline: MonotonicTime,
        _ picture: inout Picture, _ read: (UInt) -> Facts?
    ) -> [Facts] {
        var found: [Facts] = []
        for address in addresses {
            ForkGate.rest()
            guard .now < deadline else {
                picture.add(
                    ["the deadline came before all \(what) had been read"], to: part,
                    isCut: true)
                break
            }
            if let facts = read(address) { found.append(facts) }
        }
        return found
    }
}
#endif
