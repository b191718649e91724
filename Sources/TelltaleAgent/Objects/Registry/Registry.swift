#if TELLTALE_AGENT
import Synchronization
import TelltaleSystem

/// One registered object or closure.
final class RegistryEntry: Sendable {
    /// What stands behind the name.
    enum Target: Sendable {
        case object(HostReference)
        /// A closure that makes a value, nil once the actor is gone that is its owner.
        case closure(HeldValue<@Sendable () -> Any?>, of: HostReference?)
        /// A global or a static property that nobody has registered.
        case variable(RootVariable)
    }

    let identifier: UInt64
    let name: String
    let target: Target
    let owner: Owner
    // Its metadata; its names are made when somebody reads them: they took half of a registration.
    private let type: UInt
    /// Whether dumps leave it out.
    let isLeftOutOfDumps: Bool
    /// The name of the object of which it is computed; nil of what stands for itself.
    let propertyOf: String?

    init(
        identifier: UInt64, name: String, target: Target, owner: Owner, type: Any.Type,
        isLeftOutOfDumps: Bool, propertyOf: String? = nil
    ) {
        self.identifier = identifier
        self.name = name
        self.target = target
        self.owner = owner
        self.type = unsafeBitCast(type, to: UInt.self)
        self.isLeftOutOfDumps = isLeftOutOfDumps
        self.propertyOf = propertyOf
    }

    /// An object that was found in memory, and goes by its number.
    init(found place: HandleTable.Place) {
        // Whatever hangs in the reading of one keeps only others of these waiting.
        identifier = 0
        name = place.rootName
        target = .object(HostReference(found: place.address, word: place.foundWord))
        owner = .none
        type = place.foundWord
        isLeftOutOfDumps = true
        propertyOf = nil
    }

    /// A global or a static property, by its name with its module.
    init(root: RootVariable) {
        identifier = 0
        name = "\(root.module).\(root.name)"
        target = .variable(root)
        owner = .none
        type = root.type.map { unsafeBitCast($0, to: UInt.self) } ?? 0
        isLeftOutOfDumps = true
        propertyOf = nil
    }

    /// In a forked child: an entry of the parent's, with locks of its own.
    init(inheriting entry: RegistryEntry) {
        identifier = entry.identifier
        name = entry.name
        owner = entry.owner
        type = entry.type
        isLeftOutOfDumps = entry.isLeftOutOfDumps
        propertyOf = entry.propertyOf
        switch entry.target {
        case .object(let reference): target = .object(HostReference(inheriting: reference))
        case .closure(let make, let actor):
            target = .closure(make, of: actor.map(HostReference.init(inheriting:)))
        case .variable(let root): target = .variable(root)
        }
    }

    private struct Facts {
        var description: String?
        var reading: Bulkhead?
        var typeName: String?
        var qualifiedTypeName: String?
    }
    // Guarded by the process's one lock for all entries: one for each was a quarter of a registration.
    nonisolated(unsafe) private var facts = Facts()

    private func fact<Fact>(
        _ place: ReferenceWritableKeyPath<RegistryEntry, Fact?>, _ make: () -> Fact
    ) -> Fact {
        let shared = SharedState.current
        if let known = shared.entryFacts.withLock({ _ in self[keyPath: place] }) { return known }
        let made = make()
        shared.entryFacts.withLock { count in
            self[keyPath: place] = made
            count += 1
        }
        return made
    }

    /// Without modules, as users know it.
    var typeName: String { fact(\.facts.typeName) { name(isQualified: false) } }

    /// With its module, for a debugger's cast.
    var qualifiedTypeName: String { fact(\.facts.qualifiedTypeName) { name(isQualified: true) } }

    // Its image may have been unloaded since.
    private func name(isQualified: Bool) -> String {
        TypeImages.check()
        guard let type = MetadataCheck.type(at: type) else { return "a type that was unloaded" }
        return _typeName(type, qualified: isQualified)
    }

    /// Whether it was found in memory, so that nobody says who guards it.
    var isFound: Bool {
        if case .variable = target { return true }
        return reference?.isFound ?? false
    }

    var ownerDescription: String {
        if isFound { return "not known" }
        // A queue's label never changes, either.
        guard case .queue = owner else { return owner.description }
        return fact(\.facts.description) { owner.description }
    }

    /// What a call on it may hang with.
    func bulkhead(for access: Owner.Access) -> Bulkhead {
        guard case .queue = owner, access == .read else {
            return Bulkhead(owner, access) ?? .registration(identifier)
        }
        // A queue's kind never changes, and to read it takes a dozen calls of the kernel.
        return fact(\.facts.reading) { Bulkhead(owner, .read) ?? .registration(identifier) }
    }

    /// Whether it can be read now.
    var isGone: Bool {
        switch target {
        case .object(let reference): reference.isGone
        case .closure(_, let actor): actor?.isGone ?? false
        case .variable: false
        }
    }

    /// Whether its value is made each time it is read.
    var isMade: Bool {
        if case .closure = target { return true }
        return false
    }

    /// What it holds of an object: itself, or the one that its closure is about.
    var held: HostReference? {
        switch target {
        case .object(let reference): reference.isFound ? nil : reference
        case .closure(_, let reference): reference
        case .variable: nil
        }
    }

    /// Leads to the object; nil for a closure.
    var reference: HostReference? {
        if case .object(let reference) = target { return reference }
        return nil
    }
}

extension Registry<RegistryEntry> {
    /// The name under which an object is registered.
    func name(of object: AnyObject) -> String? {
        let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        return all.first { !$0.isMade && $0.held?.address == address }?.name
    }
}

/// Names in the order in which they were registered; a second one of a name replaces the first.
///
/// Nothing of the host's runs under its lock: entries go out of it before they are let go, since
/// letting one go may free a closure of the host's, whose `deinit` may come back here.
final class Registry<Entry: Sendable>: Sendable {
    private struct State {
        var names: [String] = []
        var entries: [String: (identifier: UInt64, entry: Entry)] = [:]
    }

    private let state = Locked(State())
    private let changes = Atomic(0)

    /// How often something was added or taken out: as long as it is the same, each name leads where it led.
    var generation: Int { changes.load(ordering: .acquiring) }

    /// Adds `entry`.
    ///
    /// - Returns: What was replaced.
    func add(_ entry: Entry, identifier: UInt64, as name: String) -> Entry? {
        state.withLock { state in
            let replaced = state.entries.updateValue((identifier, entry), forKey: name)
            changes.add(1, ordering: .releasing)
            if replaced == nil { state.names.append(name) }
            return replaced?.entry
        }
    }

    /// Takes out what was added under `identifier`, unless it has been replaced.
    func remove(_ identifier: UInt64) -> Entry? {
        state.withLock { state in
            guard
                let name = state.entries.first(where: { $0.value.identifier == identifier })?
                    .key
            else { return nil }
            state.names.removeAll { $0 == name }
            changes.add(1, ordering: .releasing)
            return state.entries.removeValue(forKey: name)?.entry
        }
    }

    func entry(_ name: String) -> Entry? { state.withLock { $0.entries[name]?.entry } }

    /// All entries, in the order of their registration.
    var all: [Entry] {
        state.withLock { state in state.names.compactMap { state.entries[$0]?.entry } }
    }

    /// Takes over what `other` of the parent's holds; false where its lock is held: in a forked
    /// child a thread that no longer exists may have held it.
    func adopt(_ other: Registry, _ inherit: (Entry) -> Entry = { $0 }) -> Bool {
        let taken = other.state.withLockIfAvailable { ($0.names, $0.entries) }
        guard let taken else { return false }
        state.withLock { state in
            state.names = taken.0
            state.entries = taken.1.mapValues { ($0.identifier, inherit($0.entry)) }
        }
        return true
    }
}
#endif
