#if TELLTALE_AGENT
import TelltaleSystem

/// An entry of a ``Registry``.
protocol Registered: Sendable {
    /// True if the entry's object is gone for good. Runs no host code.
    var isGone: Bool { get }
    /// The entry kept for an object that is gone, which holds nothing of the host's; `nil` if nothing is
    /// kept.
    var remains: Self? { get }
    /// True if the entry is listed by itself; false if it is listed with another one.
    var isListed: Bool { get }
}

extension Registered {
    var isListed: Bool { true }
}

/// Entries in the order in which they were registered; a new entry replaces an earlier one with the same
/// name.
///
/// A host may register an object for each of its sessions, each under its own name. Therefore entries whose
/// objects are gone are searched for: a few entries with each registration, and all entries from time to
/// time. The names of the latest ones found gone are kept, so that a client asking for one learns what became
/// of it.
///
/// No host code runs under the lock: entries are taken out of the lock before they are released, because a
/// release may free a closure of the host's, whose `deinit` may call this registry again. Entries found gone
/// are released on a worker: the registering thread may hold a lock which that `deinit` takes. Before the
/// agent's first start there is no worker, and the registering thread releases them.
///
/// Adding, removing and finding an entry take a time that, on average, doesn't grow with the number of
/// entries.
final class Registry<Entry: Registered>: Sendable {
    /// The number of entries checked with each registration. With two, the entries that are gone never
    /// greatly outnumber the live ones; with one they would grow without limit.
    private static var looks: Int { 2 }
    /// The number of entries checked under one lock when all of them are checked.
    private static var manyLooks: Int { 256 }
    /// The maximum number of names kept for entries that are gone.
    static var mostGone: Int { 64 }

    private let state = Locked(Slots<Entry>())

    /// The number of gone entries that are no longer listed.
    var forgotten: Int { state.withLock { $0.forgotten } }

    /// Adds `entry`.
    ///
    /// - Returns: The replaced entry.
    func add(_ entry: Entry, identifier: UInt64, as name: String) -> Entry? {
        let (replaced, gone) = state.withLock { state in
            let replaced = state.put(.init(identifier: identifier, name: name, entry: entry))
            return (replaced, state.look(at: Self.looks))
        }
        Self.letGo(gone)
        return replaced
    }

    /// Removes the entry added under `identifier`, unless it has been replaced.
    func remove(_ identifier: UInt64) -> Entry? {
        state.withLock { $0.take(identifier) }
    }

    /// Checks all entries for objects that are gone.
    func sweep() {
        var left = state.withLock { $0.count }
        while left > 0 {
            Self.letGo(state.withLock { $0.look(at: Self.manyLooks) })
            left -= Self.manyLooks
        }
    }

    // The entries come in a box from the start: no local reference to an entry is left here that could be the
    // last after the worker has released its own.
    private static func letGo(_ gone: HeldContent<[Entry]>?) {
        if let gone { SharedState.current.releases.giveToWorker(gone) }
    }

    func entry(_ name: String) -> Entry? { state.withLock { $0.entry(name) } }

    /// The entries whose objects are not gone, in the order of their registration.
    var present: [Entry] { all.filter { !$0.isGone } }

    /// The latest entry for which `holds` returns true; `holds` runs under the lock.
    func latest(where holds: (Entry) -> Bool) -> Entry? {
        state.withLock { $0.latest(where: holds) }
    }

    /// All entries, in the order of their registration.
    var all: [Entry] { state.withLock { $0.all } }

    /// Copies the entries of `other`, the parent process's registry. Returns false if its lock is held: in a
    /// forked child a thread that no longer exists may have held it.
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

    /// The entries; `nil` for a removed one.
    private var slots: [Slot?] = []
    private var names: [String: Int] = [:]
    private var identifiers: [UInt64: Int] = [:]
    /// The index of the next entry to check.
    private var next = 0
    /// The identifiers of the gone entries whose names are kept, the earliest found first.
    private var gone: [UInt64] = []
    private(set) var forgotten = 0

    /// The number of slots, including empty ones.
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

    /// Stores an entry under its name.
    ///
    /// - Returns: The replaced entry; the new entry takes its position.
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

    /// Removes the empty slots.
    private mutating func close() {
        next = slots[..<min(next, slots.count)].count { $0 != nil }
        slots.removeAll { $0 == nil }
        for (index, slot) in slots.enumerated() {
            guard let slot else { continue }
            names[slot.name] = index
            identifiers[slot.identifier] = index
        }
    }

    /// Checks the next entries for objects that are gone.
    ///
    /// - Returns: The entries that are no longer kept, to be released outside the lock.
    mutating func look(at count: Int) -> HeldContent<[Entry]>? {
        var released: [Entry] = []
        for _ in 0..<min(count, slots.count) {
            // `bury` may have removed slots.
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
