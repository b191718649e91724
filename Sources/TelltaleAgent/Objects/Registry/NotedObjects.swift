#if TELLTALE_AGENT
import Synchronization
import TelltaleSystem

/// The objects and closures that the host has registered since somebody last asked for one.
///
/// An entry, the probe of its owner and its places in the tables take six times as long as all else of a
/// registration (0.17 of 1.1 µs), and only an asker needs them. So a thread of the host's just notes what it
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

        /// Whether the object is gone that it is, or that its closure is about.
        fileprivate var isGone: Bool {
            switch subject {
            case .object(let held): held.isGone
            case .closure(_, let object): object?.isGone ?? false
            case .none: false
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

    /// With so many a worker is asked to settle them.
    private static let many = 1024
    /// With so many the thread that notes one more settles them itself.
    private static let most = 4096
    /// So many are settled before others come to the lock.
    private static let turn = 64
    /// With each so many it is looked whether an object of theirs has gone, whose memory is kept until it is settled.
    private static let fewer = 16

    /// What whoever settles has the lock for.
    private struct Settling {
        /// Those that were taken from the list, the oldest last.
        var taken: [Note] = []
        /// How many were settled.
        var total = 0
    }

    /// The latest one, which leads to the others.
    private let latest = Atomic<UInt>(0)
    /// How many are noted and not settled yet.
    private let count = Atomic(0)
    private let settling = Locked(Settling())
    /// Whether a worker was asked to settle them, and has not begun.
    private let isAsked = Atomic(false)

    deinit { _ = take() }

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
        guard number % Self.many == 0 else {
            return number % Self.fewer == 0 && hasGone() ? .settles : .nothing
        }
        return number >= Self.most ? .settles : .asksWorker
    }

    /// Whether an object of the latest ones has gone; not told while somebody settles.
    private func hasGone() -> Bool {
        // Under the lock nobody takes them from the list.
        settling.withLockIfAvailable { _ in
            var address = latest.load(ordering: .acquiring)
            for _ in 0..<Self.fewer {
                guard let place = UnsafeRawPointer(bitPattern: address) else { break }
                let (isGone, previous) = Unmanaged<Note>.fromOpaque(place)
                    ._withUnsafeGuaranteedRef { ($0.isGone, $0.previous) }
                if isGone { return true }
                address = previous
            }
            return false
        } ?? false
    }

    /// Whether a worker is to be asked.
    func asks() -> Bool {
        !isEmpty && !isAsked.exchange(true, ordering: .acquiringAndReleasing)
    }

    /// Notes that the worker that was asked has begun.
    func isBegun() { isAsked.store(false, ordering: .releasing) }

    /// Makes entries of those that are noted by now.
    ///
    /// - Parameters:
    ///   - registry: Where they are registered.
    ///   - probes: Those of their owners' queues.
    ///   - settled: Is told under the lock what each has become; with `isRefused` it is not registered, since its
    ///     name can't be had.
    /// - Returns: What is not registered any more, to be let go by ``Registry/letGo(_:)`` under no lock.
    func settle(
        in registry: Registry<RegistryEntry>, _ probes: QueueProbes,
        settled: (_ entry: RegistryEntry, _ replaced: RegistryEntry?, _ isRefused: Bool) -> Void
    ) -> HeldContent<[RegistryEntry]>? {
        var leaving: [RegistryEntry] = []
        var end: Int?
        var isOver = false
        while !isOver {
            isOver = settling.withLock { settling in
                if end == nil {
                    settling.taken = take() + settling.taken
                    end = settling.total + settling.taken.count
                }
                for _ in 0..<Self.turn {
                    guard let note = settling.taken.popLast() else { break }
                    if let entry = note.makeEntry(probes) {
                        let isRefused = !Registrar.isFree(note.name)
                        let (replaced, gone) =
                            isRefused
                            ? (nil, nil)
                            : registry.put(entry, identifier: note.identifier, as: note.name)
                        settled(entry, replaced, isRefused)
                        // Lets go of the memory of an object that has gone.
                        _ = entry.isGone
                        leaving += gone?.value ?? []
                        if let left = isRefused ? entry : replaced { leaving.append(left) }
                    }
                    settling.total += 1
                    // Whoever finds none left finds this one registered.
                    count.subtract(1, ordering: .acquiringAndReleasing)
                }
                return settling.total >= end ?? 0
            }
        }
        return leaving.isEmpty ? nil : HeldContent(leaving)
    }

    /// Takes the notes from the list, the latest first.
    private func take() -> [Note] {
        Self.notes(from: latest.exchange(0, ordering: .acquiring)) { $0.takeRetainedValue() }
    }

    private static func notes(from first: UInt, by take: (Unmanaged<Note>) -> Note) -> [Note] {
        var notes: [Note] = []
        var address = first
        while let place = UnsafeRawPointer(bitPattern: address) {
            let note = take(.fromOpaque(place))
            address = note.previous
            notes.append(note)
        }
        return notes
    }

    /// In a forked child: takes over what the parent had noted; false where a thread was settling some of it.
    func adopt(_ parent: NotedObjects) -> Bool {
        let taken = parent.settling.withLockIfAvailable { $0.taken }
        let others = Self.notes(from: parent.latest.load(ordering: .acquiring)) {
            $0.takeUnretainedValue()
        }
        for note in (others + (taken ?? [])).reversed() { _ = self.note(Note(inheriting: note)) }
        return taken != nil
    }
}
#endif
