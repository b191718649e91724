#if TELLTALE_AGENT
import Synchronization
import TelltaleRuntime
import TelltaleSystem

/// One registered object or closure.
final class RegistryEntry: Registered {
    /// The target of a registered name.
    enum Target: Sendable {
        case object(HostReference)
        /// A closure that makes a value; it returns `nil` once its owner actor is gone. Without the closure,
        /// the case is the remains of an entry that is gone.
        case closure(HeldValue<@Sendable () -> Any?>?, of: HostReference?)
        /// A global or a static property that is not registered.
        case variable(RootVariable)
    }

    let identifier: UInt64
    let name: String
    let target: Target
    let owner: Owner
    // The address of the type's metadata. The names of the type are made on first use: they took half of a
    // registration.
    private let type: UInt
    /// True if dumps omit the entry.
    let isLeftOutOfDumps: Bool
    /// The name of the object whose computed property this is; `nil` for any other entry.
    let propertyOf: String?
    /// The conditions under which the closure runs.
    let run: RunOptions

    init(
        identifier: UInt64, name: String, target: Target, owner: Owner, type: Any.Type,
        isLeftOutOfDumps: Bool, propertyOf: String? = nil, run: RunOptions = []
    ) {
        self.identifier = identifier
        self.name = name
        self.target = target
        self.owner = owner
        self.type = unsafeBitCast(type, to: UInt.self)
        self.isLeftOutOfDumps = isLeftOutOfDumps
        self.propertyOf = propertyOf
        self.run = run
    }

    /// An object found in memory, named by its handle.
    init(found place: HandleTable.Place) {
        // Objects found in memory share one identifier and thus one bulkhead: a hanging read of one blocks
        // only reads of the others.
        identifier = 0
        name = place.rootName
        target = .object(HostReference(found: place.address, word: place.foundWord))
        owner = .none
        type = place.foundWord
        isLeftOutOfDumps = true
        propertyOf = nil
        run = []
    }

    /// A global or a static property, named with its module.
    init(root: RootVariable) {
        identifier = 0
        name = "\(root.module).\(root.name)"
        target = .variable(root)
        owner = .none
        type = root.type.map { unsafeBitCast($0, to: UInt.self) } ?? 0
        isLeftOutOfDumps = true
        propertyOf = nil
        run = []
    }

    /// In a forked child: a copy of the parent's entry, with its own locks.
    init(inheriting entry: RegistryEntry) {
        identifier = entry.identifier
        name = entry.name
        owner = entry.owner
        type = entry.type
        isLeftOutOfDumps = entry.isLeftOutOfDumps
        propertyOf = entry.propertyOf
        run = entry.run
        switch entry.target {
        case .object(let reference): target = .object(HostReference(inheriting: reference))
        case .closure(let make, let actor):
            target = .closure(make, of: actor.map(HostReference.init(inheriting:)))
        case .variable(let root): target = .variable(root)
        }
    }

    /// The remains of an entry that is gone: its name and its type.
    private init(remainsOf entry: RegistryEntry, _ reference: HostReference) {
        identifier = entry.identifier
        name = entry.name
        target = entry.isMade ? .closure(nil, of: reference) : .object(reference)
        owner = .none
        type = entry.type
        isLeftOutOfDumps = entry.isLeftOutOfDumps
        propertyOf = nil
        run = []
        facts.description = entry.owner.description
    }

    /// The remains without the closure, the owner and the owner's queue. A property leaves no remains: a
    /// client that asks for it is told about its object.
    var remains: RegistryEntry? {
        guard isListed else { return nil }
        return held.map { RegistryEntry(remainsOf: self, $0) }
    }

    var isListed: Bool { propertyOf == nil }

    private struct Facts {
        var description: String?
        var reading: Bulkhead?
        var typeName: String?
        var qualifiedTypeName: String?
        var probe: QueueProbe?
    }
    // Guarded by one lock for the facts of all entries in the process: one lock per entry took a quarter of a
    // registration.
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

    /// The probe of the queue that owns the object. From the first call on the queue is observed for as long
    /// as this entry exists. The probe is made when a client asks: with it a registration took twice as long.
    /// A property uses its object's probe.
    func probe(_ shared: SharedState) -> QueueProbe? {
        guard isListed, let queue = owner.dispatchQueue else { return nil }
        if let known = shared.entryFacts.withLock({ _ in facts.probe }) { return known }
        return fact(\.facts.probe) { shared.probes.probe(of: queue) }
    }

    /// The type's name without modules, as users know it.
    var typeName: String { fact(\.facts.typeName) { name(isQualified: false) } }

    /// The type's name with its module, for a debugger's cast.
    var qualifiedTypeName: String { fact(\.facts.qualifiedTypeName) { name(isQualified: true) } }

    // The type's image may have been unloaded since the registration.
    private func name(isQualified: Bool) -> String {
        TypeImages.check()
        guard let type = MetadataCheck.type(at: type) else { return "a type that was unloaded" }
        return _typeName(type, qualified: isQualified)
    }

    /// True if the object was found in memory, so that its owner is not known.
    var isFound: Bool {
        if case .variable = target { return true }
        return reference?.isFound ?? false
    }

    var ownerDescription: String {
        if isFound { return "not known" }
        switch owner {
        // A queue's label never changes, so it is cached too; an entry that is gone has only the cached text.
        case .queue, .none: return fact(\.facts.description) { owner.description }
        default: return owner.description
        }
    }

    /// The bulkhead of a call on the entry.
    func bulkhead(for access: Owner.Access) -> Bulkhead {
        guard case .queue = owner, access == .read else {
            return Bulkhead(owner, access) ?? .registration(identifier)
        }
        // Cached because a queue's kind never changes, and reading it takes a dozen system calls.
        return fact(\.facts.reading) { Bulkhead(owner, .read) ?? .registration(identifier) }
    }

    /// True if the entry's object, or the one its closure is about, is gone for good.
    var isGone: Bool {
        switch target {
        case .object(let reference): reference.isGone
        case .closure(_, let actor): actor?.isGone ?? false
        case .variable: false
        }
    }

    /// True if the value is made anew for each read.
    var isMade: Bool {
        if case .closure = target { return true }
        return false
    }

    /// The reference to the registered object, or to the one that the closure is about.
    var held: HostReference? {
        switch target {
        case .object(let reference): reference.isFound ? nil : reference
        case .closure(_, let reference): reference
        case .variable: nil
        }
    }

    /// The reference to the object; `nil` for a closure.
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

    /// The names and the addresses of the registered objects that are alive; none if there are so many that
    /// listing them would take as long as a read.
    var addresses: [(name: String, address: UInt)] {
        let all = all
        guard all.count <= Self.mostAddresses else { return [] }
        return all.reversed().compactMap { entry in
            entry.isMade || entry.isGone
                ? nil : entry.reference?.address.map { (name: entry.name, address: $0) }
        }
    }

    private static var mostAddresses: Int { 2_000 }

    /// The latest registration of an object for which `holds` returns true. The search starts at the end,
    /// where a session's registration is found soon.
    func latest(
        of object: AnyObject, where holds: (RegistryEntry) -> Bool
    ) -> RegistryEntry? {
        let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        return latest { $0.reference?.address == address && holds($0) }
    }
}
#endif
