#if TELLTALE_AGENT
import Synchronization
import TelltaleSystem

/// One registered object or closure.
final class RegistryEntry: Registered {
    /// What stands behind the name.
    enum Target: Sendable {
        case object(HostReference)
        /// A closure that makes a value, nil once the actor is gone that is its owner; without the closure it is
        /// what remains of one.
        case closure(HeldValue<@Sendable () -> Any?>?, of: HostReference?)
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
    /// Where and when its closure runs.
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
        run = []
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
        run = []
    }

    /// In a forked child: an entry of the parent's, with locks of its own.
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

    /// What is kept of one that is gone: by what name it went, and what it was.
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

    /// Its closure, its owner and the owner's queue are not among it. Nothing is kept of a property: whoever
    /// asks for it is told of its object.
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

    /// The probe of the queue that owns it, which is observed from then on for as long as this is there. It is made when
    /// a client asks: with it a registration took twice as long. A property has its object's.
    func probe(_ shared: SharedState) -> QueueProbe? {
        guard isListed, let queue = owner.dispatchQueue else { return nil }
        if let known = shared.entryFacts.withLock({ _ in facts.probe }) { return known }
        return fact(\.facts.probe) { shared.probes.probe(of: queue) }
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
        switch owner {
        // A queue's label never changes, either; and what is gone has none but in words.
        case .queue, .none: return fact(\.facts.description) { owner.description }
        default: return owner.description
        }
    }

    /// What a call on it may hang with.
    func bulkhead(for access: Owner.Access) -> Bulkhead {
        guard case .queue = owner, access == .read else {
            return Bulkhead(owner, access) ?? .registration(identifier)
        }
        // A queue's kind never changes, and to read it takes a dozen calls of the kernel.
        return fact(\.facts.reading) { Bulkhead(owner, .read) ?? .registration(identifier) }
    }

    /// Whether the object is gone that it is, or that its closure is about: it is never there again.
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

    /// The latest registration of an object of which something holds. Of a host's session that is one of the
    /// last.
    func latest(
        of object: AnyObject, where holds: (RegistryEntry) -> Bool
    ) -> RegistryEntry? {
        let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        return latest { $0.reference?.address == address && holds($0) }
    }
}
#endif
