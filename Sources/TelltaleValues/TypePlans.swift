#if TELLTALE_AGENT
import Glibc
import Synchronization
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// The descriptions of types by which their values are read, created once for each type and each set of
/// rules, and the names in them.
///
/// For use by one thread at a time.
package final class TypePlans: @unchecked Sendable {
    /// A name, and its JSON without quotes.
    struct Name {
        var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
        var json = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// A key of the table of names; its bytes are owned by the name.
    private struct Key: Hashable {
        let bytes: UnsafeRawBufferPointer

        static func == (one: Key, other: Key) -> Bool {
            one.bytes.elementsEqual(other.bytes)
        }

        func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes) }
    }

    fileprivate let generation: UInt64
    /// By the complements of the types' addresses: a search of the heap would find the plain words.
    private var plans: [UInt: Plan.Pointer] = [:]
    private var numbers: [Key: NameNumber] = [:]
    private(set) var names: [Name] = []
    /// The keys of dictionaries that were judged.
    private var keys: [TreeWalk.KeyIdentity: TreeWalk.Key] = [:]

    /// The total size of all names, in bytes. A dictionary's key is a name as a property's is, so names
    /// grow with the host's data.
    private(set) var namesSize = 0
    /// The size of the longest name as JSON.
    private(set) var longestName = 0
    /// True if a name got no number, so that the result of a read is incomplete.
    private(set) var lacksNames = false

    /// A node has 20 bits for a name, and one of their values means none.
    private static let mostNames = (1 << 20) - 1

    fileprivate init() {
        generation = PlanPool.generation
    }

    deinit {
        for plan in plans.values {
            plan.pointee.parts.deallocate()
            plan.deallocate()
        }
        for name in names { free(UnsafeMutableRawPointer(mutating: name.bytes.baseAddress)) }
    }

    // MARK: Names

    /// The number of a text.
    func name(_ text: String) -> NameNumber {
        var text = text
        return text.withUTF8 { name(UnsafeRawBufferPointer($0)) }
    }

    func name(_ text: UnsafeRawBufferPointer) -> NameNumber {
        numbers[Key(bytes: text)] ?? add(text)
    }

    private func add(_ text: UnsafeRawBufferPointer) -> NameNumber {
        let json = TextScan(text).isSimple ? [] : TextScan.json(text)
        guard names.count < Self.mostNames, let room = malloc(text.count + json.count + 1) else {
            lacksNames = true
            return noName
        }
        let all = UnsafeMutableRawBufferPointer(start: room, count: text.count + json.count)
        all.copyBytes(from: text)
        for (index, byte) in json.enumerated() { all[text.count + index] = byte }
        let bytes = UnsafeRawBufferPointer(start: room, count: text.count)
        let name = Name(
            bytes: bytes,
            json: json.isEmpty
                ? bytes : UnsafeRawBufferPointer(start: room + text.count, count: json.count))
        let number = NameNumber(truncatingIfNeeded: names.count)
        names.append(name)
        numbers[Key(bytes: bytes)] = number
        namesSize += 64 + all.count
        longestName = max(longestName, name.json.count)
        return number
    }

    @inline(__always)
    func name(_ number: NameNumber) -> Name { names[number] }

    func text(_ name: NameNumber) -> String {
        String(decoding: self.name(name).bytes, as: UTF8.self)
    }

    /// A dictionary's key, which a body judges the first time.
    func key(
        _ identity: TreeWalk.KeyIdentity, _ judge: () -> TreeWalk.Key
    ) -> TreeWalk.Key {
        if let known = keys[identity] { return known }
        let key = judge()
        // A key that could not be read has no step.
        guard key.step.kind != .unnamed else { return key }
        keys[identity] = key
        namesSize += 96
        return key
    }

    // MARK: Plans

    /// The plan of a type, which may be unmade.
    func plan(of type: Any.Type, isBare: Bool = false) -> Plan.Pointer {
        let metadata = TypeMetadata(type).pointer
        let key = UInt(bitPattern: metadata) | (isBare ? 1 : 0)
        if let known = plan(at: key) { return known }
        let plan = Plan.Pointer.allocate(capacity: 1)
        plan.initialize(to: Plan(metadata, isBare: isBare))
        plans[~key] = plan
        return plan
    }

    /// The plan of the type at an address, if there is one; of an odd one, the bare plan.
    func plan(at metadata: UInt) -> Plan.Pointer? { plans[~metadata] }
}

extension [TypePlans.Name] {
    /// The name with a number; an empty one for none.
    @inline(__always)
    subscript(number: NameNumber) -> TypePlans.Name {
        Int(number) < count ? self[Int(number)] : TypePlans.Name()
    }
}

/// A pool of plans for one set of rules. Each concurrent read uses its own plans, and some are kept for
/// reuse.
package final class PlanPool: Sendable {
    /// The number of changes to the types with a format.
    private static let changes = Atomic<UInt64>(0)
    private static let kept = 2
    /// The maximum size of the names in pooled plans, in bytes; a name of 20 letters takes some 100.
    static let mostNamesSize = 1 << 20

    private let free = Locked<[TypePlans]>([])

    package init() {}

    package static var generation: UInt64 {
        changes.load(ordering: .acquiring) &+ UInt64(truncatingIfNeeded: TypeImages.generation)
    }

    /// Invalidates all plans. A change of the loaded images does so too.
    package static func outdate() { changes.wrappingAdd(1, ordering: .acquiringAndReleasing) }

    /// Returns plans for one read, which must be returned with ``giveBack(_:)``.
    package func take() -> TypePlans {
        let current = Self.generation
        let kept = free.withLock { free -> TypePlans? in
            free.removeAll { $0.generation != current }
            return free.popLast()
        }
        return kept ?? TypePlans()
    }

    /// Returns plans to the pool, unless the host's data have made them large: the keys of dictionaries are
    /// names too, and each read may add others. Such plans are discarded, and later created anew.
    func giveBack(_ plans: TypePlans) {
        guard plans.namesSize <= Self.mostNamesSize, !plans.lacksNames else { return }
        free.withLock { if $0.count < Self.kept { $0.append(plans) } }
    }
}
#endif
