#if TELLTALE_AGENT
import TelltaleSystem

/// What stands in a ``Registry``.
protocol Registered: Sendable {
    /// Whether the object that it is about is gone, for good. Runs no code of the host's.
    var isGone: Bool { get }
    /// What is kept of it then, which holds nothing of the host's; nil where nothing is.
    var remains: Self? { get }
    /// Whether it is listed by itself, and not with another one.
    var isListed: Bool { get }
}

extension Registered {
    var isListed: Bool { true }
}

/// Names in the order in which they were registered; a second one of a name replaces the first.
///
/// A host may register an object for each of its sessions, under names of their own. So those that are gone
/// are looked for, some with each registration and all from time to time; of the latest ones that were found
/// the name stays, so that somebody who asks is told what became of it.
///
/// Nothing of the host's runs under its lock: entries go out of it before they are let go, since
/// letting one go may free a closure of the host's, whose `deinit` may come back here. What is found gone is
/// let go on a worker: the thread that registers something else may hold a lock which that `deinit` takes.
/// Before the agent's first start there is no worker, and it is let go right there.
///
/// Adding, removing and finding one take a time that doesn't grow with how many there are, on average.
final class Registry<Entry: Registered>: Sendable {
    /// So many are looked at with each registration: those that are gone then are never many more than those that are
    /// alive. With one they would grow.
    private static var looks: Int { 2 }
    /// So many at a time where all are.
    private static var manyLooks: Int { 256 }
    /// Of so many that are gone the name stays.
    static var mostGone: Int { 64 }

    private let state = Locked(Slots<Entry>())

    /// How many that are gone are not listed any more.
    var forgotten: Int { state.withLock { $0.forgotten } }

    /// Adds `entry`.
    ///
    /// - Returns: What was replaced.
    func add(_ entry: Entry, identifier: UInt64, as name: String) -> Entry? {
        let (replaced, gone) = state.withLock { state in
            let replaced = state.put(.init(identifier: identifier, name: name, entry: entry))
            return (replaced, state.look(at: Self.looks))
        }
        Self.letGo(gone)
        return replaced
    }

    /// Takes out what was added under `identifier`, unless it has been replaced.
    func remove(_ identifier: UInt64) -> Entry? {
        state.withLock { $0.take(identifier) }
    }

    /// Looks at all of them.
    func sweep() {
        var left = state.withLock { $0.count }
        while left > 0 {
            Self.letGo(state.withLock { $0.look(at: Self.manyLooks) })
            left -= Self.manyLooks
        }
    }

    // In a box from the start: nobody here has an entry of it that the worker could be quicker to let go.
    private static func letGo(_ gone: HeldContent<[Entry]>?) {
        if let gone { SharedState.current.releases.giveToWorker(gone) }
    }

    func entry(_ name: String) -> Entry? { state.withLock { $0.entry(name) } }

    /// Those that are there, in the order of their registration.
    var present: [Entry] { all.filter { !$0.isGone } }

    /// The latest one of which something holds, which is asked under the lock.
    func latest(where holds: (Entry) -> Bool) -> Entry? {
        state.withLock { $0.latest(where: holds) }
    }

    /// All entries, in the order of their registration.
    var all: [Entry] { state.withLock { $0.all } }

    /// Takes over what `other` of the parent's holds; false where its lock is held: in a forked
    /// child a thread that no longer exists may have held it.
    func adopt(_ other: Registry, _ inherit: (Entry) -> Entry) -> Bool {
        guard let taken = other.state.withLockIfAvailable({ $0 }) else { return false }
        state.withLock { state in
            state = taken
            state.replaceEach(inherit)
        }
        return true
    }
}

/// The content of a ``Registry``, in the order of registration.
private struct Slots<Entry: Registered> {
    struct Slot {
        let identifier: UInt64
        let name: String
        var entry: Entry
        var isGone = false
    }

    /// nil where one was taken out.
    private var slots: [Slot?] = []
    private var names: [String: Int] = [:]
    private var identifiers: [UInt64: Int] = [:]
    /// The next one to be looked at.
    private var next = 0
    /// Those that are gone and of which the name stays, the longest known first.
    private var gone: [UInt64] = []
    private(set) var forgotten = 0

    /// With those that were taken out.
    var count: Int { slots.count }
    var all: [Entry] { slots.compactMap { $0?.entry } }

    func entry(_ name: String) -> Entry? { names[name].flatMap { slots[$0]?.entry } }

    func latest(where holds: (Entry) -> Bool) -> Entry? {
        for slot in slots.reversed() {
            if let entry = slot?.entry, holds(entry) { return entry }
        }
        return nil
    }

    mutating func replaceEach(_ replacement: (Entry) -> Entry) {
        for index in slots.indices {
            if let entry = slots[index]?.entry { slots[index]?.entry = replacement(entry) }
        }
    }

    /// Puts one under its name.
    ///
    /// - Returns: What it replaces, of which it has the place.
    mutating func put(_ slot: Slot) -> Entry? {
        if let index = names[slot.name], let replaced = slots[index] {
            identifiers[replaced.identifier] = nil
            if replaced.isGone { gone.removeAll { $0 == replaced.identifier } }
            identifiers[slot.identifier] = index
            slots[index] = slot
            return replaced.entry
        }
        names[slot.name] = slots.count
        identifiers[slot.identifier] = slots.count
        slots.append(slot)
        return nil
    }

    mutating func take(_ identifier: UInt64) -> Entry? {
        guard let index = identifiers.removeValue(forKey: identifier), let slot = slots[index]
        else { return nil }
        names[slot.name] = nil
        if slot.isGone { gone.removeAll { $0 == identifier } }
        slots[index] = nil
        if slots.count > 2 * names.count + 16 { close() }
        return slot.entry
    }

    /// Leaves no place empty.
    private mutating func close() {
        next = slots[..<min(next, slots.count)].count { $0 != nil }
        slots.removeAll { $0 == nil }
        for (index, slot) in slots.enumerated() {
            guard let slot else { continue }
            names[slot.name] = index
            identifiers[slot.identifier] = index
        }
    }

    /// Looks at the next ones, whether they are gone.
    ///
    /// - Returns: What is not kept any more, to be let go outside of the lock.
    mutating func look(at count: Int) -> HeldContent<[Entry]>? {
        var released: [Entry] = []
        for _ in 0..<min(count, slots.count) {
            // What is buried may leave fewer places.
            guard !slots.isEmpty else { break }
            if next >= slots.count { next = 0 }
            let index = next
            next += 1
            guard let slot = slots[index], !slot.isGone, slot.entry.isGone else { continue }
            released += bury(slot, at: index)
        }
        return released.isEmpty ? nil : HeldContent(released)
    }

    private mutating func bury(_ slot: Slot, at index: Int) -> [Entry] {
        var released = [slot.entry]
        var leaving: UInt64?
        if let remains = slot.entry.remains {
            slots[index]?.entry = remains
            slots[index]?.isGone = true
            gone.append(slot.identifier)
            if gone.count > Registry<Entry>.mostGone { leaving = gone.removeFirst() }
        } else {
            leaving = slot.identifier
        }
        if let leaving, let entry = take(leaving) {
            released.append(entry)
            forgotten += entry.isListed ? 1 : 0
        }
        return released
    }
}
#endif
