#if TELLTALE_AGENT
import Synchronization
import TelltaleSystem

/// The objects and closures that the host has registered since somebody last asked for one.
///
/// An entry, the probe of its owner and its places in the tables take six times as long as all else of a
/// registration (0.15 of 1.1 µs), and only an asker needs them. So a thread of the host's just notes what it
/// registers, without a lock, and whoever asks settles that first. A worker does once there are many, and from
/// time to time.
final class NotedObjects: Sendable {
    /// One of them.
    final class Note {
        typealias Making = HeldValue<@Sendable () -> Any?>

        private enum Subject: ~Copyable {
            case object(HostReference.Held)
            case closure(Making, of: HostReference?)
            /// An entry has it.
            case none
        }

        let identifier: UInt64
        let name: String
        private let owner: Owner
        private let type: Any.Type
        private let isLeftOutOfDumps: Bool
        private let propertyOf: String?
        private var subject: Subject
        /// The one that was noted before it.
        fileprivate var previous: UInt = 0

        init(
            _ object: AnyObject, identifier: UInt64, name: String, owner: Owner,
            isLeftOutOfDumps: Bool
        ) {
            self.identifier = identifier
            self.name = name
            self.owner = owner
            self.type = Swift.type(of: object)
            self.isLeftOutOfDumps = isLeftOutOfDumps
            propertyOf = nil
            subject = .object(HostReference.Held(object))
        }

        /// What is made each time that it is read, of an object where there is one.
        init(
            _ make: Making, of object: HostReference?, identifier: UInt64, name: String,
            owner: Owner, type: Any.Type, propertyOf: String? = nil
        ) {
            self.identifier = identifier
            self.name = name
            self.owner = owner
            self.type = type
            isLeftOutOfDumps = propertyOf != nil
            self.propertyOf = propertyOf
            subject = .closure(make, of: object)
        }

        /// In a forked child: one of the parent's.
        fileprivate init(inheriting other: Note) {
            identifier = other.identifier
            name = other.name
            owner = other.owner
            type = other.type
            isLeftOutOfDumps = other.isLeftOutOfDumps
            propertyOf = other.propertyOf
            switch other.subject {
            case .object(let held): subject = .object(HostReference.Held(inheriting: held))
            case .closure(let make, let object):
                subject = .closure(make, of: object.map(HostReference.init(inheriting:)))
            case .none: subject = .none
            }
        }

        /// Its entry, which has its object from then on; to be asked for once.
        fileprivate func makeEntry(_ probes: QueueProbes) -> RegistryEntry? {
            var subject = Subject.none
            swap(&subject, &self.subject)
            let target: RegistryEntry.Target
            switch consume subject {
            case .object(let held): target = .object(HostReference(taking: held))
            case .closure(let make, let object): target = .closure(make, of: object)
            case .none: return nil
            }
            // A property's owner has its object's probe.
            let observed = propertyOf == nil ? owner.dispatchQueue : nil
            return RegistryEntry(
                identifier: identifier, name: name, target: target, owner: owner,
                probe: observed.map(probes.probe), type: type,
                isLeftOutOfDumps: isLeftOutOfDumps, propertyOf: propertyOf)
        }
    }

    /// What came of one.
    struct Settled {
        let entry: RegistryEntry
        /// Whether its name can't be had, so that it is not registered.
        let isRefused: Bool
        let replaced: RegistryEntry?
        /// What was found gone meanwhile.
        let gone: HeldContent<[RegistryEntry]>?
    }

    /// With so many a worker is asked to settle them.
    private static let many = 1024
    /// With so many the thread that notes one more settles them itself.
    private static let most = 4096

    /// The latest one, which leads to the others.
    private let latest = Atomic<UInt>(0)
    /// How many are noted and not settled yet, which is later than they are taken.
    private let count = Atomic(0)
    /// How many were settled; who does it holds the lock, so that others find all of them when they have it.
    private let settled = Locked(0)

    var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

    /// What the thread that has noted one does about it.
    enum Next {
        case nothing, asksWorker, settles
    }

    /// Notes one; waits for nobody.
    func note(_ note: Note) -> Next {
        let number = count.add(1, ordering: .acquiringAndReleasing).newValue
        let address = UInt(bitPattern: Unmanaged.passRetained(note).toOpaque())
        var (isNoted, before) = (false, latest.load(ordering: .relaxed))
        while !isNoted {
            note.previous = before
            (isNoted, before) = latest.weakCompareExchange(
                expected: before, desired: address, ordering: .releasing)
        }
        guard number % Self.many == 0 else { return .nothing }
        return number >= Self.most ? .settles : .asksWorker
    }

    /// Makes entries of those that are noted. None is let go under the lock: see ``Registry``.
    func settle(in registry: Registry<RegistryEntry>, _ probes: QueueProbes) -> [Settled] {
        settled.withLock { settled in
            let notes = take()
            defer {
                settled += notes.count
                count.subtract(notes.count, ordering: .acquiringAndReleasing)
            }
            return notes.compactMap { note in
                guard let entry = note.makeEntry(probes) else { return nil }
                guard Registrar.isFree(note.name) else {
                    return Settled(entry: entry, isRefused: true, replaced: nil, gone: nil)
                }
                let (replaced, gone) = registry.put(
                    entry, identifier: note.identifier, as: note.name)
                return Settled(entry: entry, isRefused: false, replaced: replaced, gone: gone)
            }
        }
    }

    /// Takes the notes, in the order in which they were made.
    private func take() -> [Note] {
        var notes: [Note] = []
        var address = latest.exchange(0, ordering: .acquiring)
        while let place = UnsafeRawPointer(bitPattern: address) {
            let note = Unmanaged<Note>.fromOpaque(place).takeRetainedValue()
            address = note.previous
            notes.append(note)
        }
        return notes.reversed()
    }

    /// In a forked child: takes over what the parent had noted; false where a thread was settling.
    func adopt(_ parent: NotedObjects) -> Bool {
        guard parent.settled.withLockIfAvailable({ _ in true }) != nil else { return false }
        var notes: [Note] = []
        var address = parent.latest.load(ordering: .acquiring)
        while let place = UnsafeRawPointer(bitPattern: address) {
            let note = Unmanaged<Note>.fromOpaque(place).takeUnretainedValue()
            address = note.previous
            notes.append(note)
        }
        for note in notes.reversed() { _ = self.note(Note(inheriting: note)) }
        return true
    }
}
#endif
