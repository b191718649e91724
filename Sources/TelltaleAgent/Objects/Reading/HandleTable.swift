#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem
import TelltaleValues

/// The handles under which answers name objects, such as `#7`.
///
/// The table stores the places of objects and no references to them, so it keeps nothing of the host alive. A
/// command that uses a handle first checks that the object is still at its place. At most ``capacity``
/// handles are kept: the least recently used are evicted, an eighth at a time, and earlier if the limit for
/// all kept memory is reached. A handle is never reused.
final class HandleTable: Sendable {
    /// The place of an object when it was given its handle.
    struct Place: Sendable {
        /// The name of the registered object from which it was reached.
        let rootName: String
        /// The path from that object.
        let path: [ValuePath.Component]
        let address: UInt
        let typeName: String
        /// The first word of an object that was found in memory, without a path: its ``rootName`` is its own
        /// handle. 0 for an object reached from a registered one.
        var foundWord: UInt = 0
    }

    /// The maximum number of handles; each takes some 200 bytes.
    static let capacity = 16_384

    private let numbers = Locked(PlaceNumbers(capacity: HandleTable.capacity))
    private let memory: KeptMemory?
    /// The number of chunks of ``part`` bytes counted by the limit for kept memory, and the number of the
    /// next chunk.
    private let parts = Locked((counted: 0, next: 0))

    /// The size in bytes of a chunk, in which handles are counted and evicted.
    private static let part = 65_536

    /// The names and the addresses of the registered objects, which are numbered by their names wherever they
    /// are met.
    let registered: @Sendable () -> [(name: String, address: UInt)]

    init(
        memory: KeptMemory? = nil,
        registered: @escaping @Sendable () -> [(name: String, address: UInt)] = { [] }
    ) {
        self.memory = memory
        self.registered = registered
        memory?.dropping(.handles) { [weak self] _ in
            guard let self else { return }
            numbers.withLock { $0.forget(bytes: Self.part) }
            parts.withLock { $0.counted -= 1 }
        }
    }

    // Called outside the lock, because the kept memory may evict entries of other kinds meanwhile.
    private func count() {
        guard let memory else { return }
        let bytes = numbers.withLock { $0.bytes }
        let added = parts.withLock { parts -> Range<Int> in
            let first = parts.next
            while parts.counted < bytes / Self.part {
                parts.counted += 1
                parts.next += 1
            }
            return first..<parts.next
        }
        for number in added { memory.keep(.handles, number, bytes: Self.part) }
    }

    /// The handle of an object, from 1; always the same for the same object at the same place. 0 if
    /// an allocation fails.
    func handle(
        rootName: String, path: [ValuePath.Component], address: UInt, typeName: String
    ) -> Int {
        let place = PlaceNumbers.Place(
            rootName: rootName, path: EncodedPath.bytes(of: path), address: address,
            typeName: typeName)
        defer { count() }
        return numbers.withLock { $0.number(of: place) }
    }

    /// The handle of an object that was found in memory: it has no path, and its owner is not known. 0 if
    /// an allocation fails.
    func handle(found address: UInt, word: UInt, typeName: String) -> Int {
        // No registered object has an empty name.
        let place = PlaceNumbers.Place(
            rootName: "", path: withUnsafeBytes(of: ~word) { Array($0) }, address: address,
            typeName: typeName)
        defer { count() }
        return numbers.withLock { $0.number(of: place) }
    }

    /// Assigns handles to the objects of a tree, in their order.
    func number(_ tree: ReadTree, rootName: String) {
        numbers.withLock { $0.number(tree, rootName: rootName) }
        count()
    }

    /// The place of a handle's object; `nil` if the handle never existed or was evicted.
    func place(of handle: Int) -> Place? {
        guard let place = numbers.withLock({ $0.place(of: handle) }) else { return nil }
        if place.rootName.isEmpty, place.path.count == MemoryLayout<UInt>.size {
            let word = place.path.withUnsafeBytes { ~$0.loadUnaligned(as: UInt.self) }
            return Place(
                rootName: "#\(handle)", path: [], address: place.address,
                typeName: place.typeName, foundWord: word)
        }
        guard let path = place.path.withUnsafeBytes(EncodedPath.path) else { return nil }
        return Place(
            rootName: place.rootName, path: path, address: place.address,
            typeName: place.typeName)
    }
}

extension HandleTable.Place {
    /// Checks that the object is still where it was when it was given its handle, below the object now
    /// registered as ``rootName``.
    ///
    /// Called on the owner, before the place is read or written.
    /// - Throws: ``CommandFailure/Code/gone`` if there is no object any more,
    ///   ``CommandFailure/Code/conflict`` if there is another object.
    func verify(
        in root: ReadRoot, masks: MaskPolicy, source: MemorySource = .process
    ) throws(CommandFailure) {
        let rendered = ValuePath(root: .init(named: rootName), components: path).description
        let hint = "`show \(ValuePath(root: .init(named: rootName)))` gives out new numbers"
        let reader = ValueReader(
            limits: ReadLimits(deadline: .now.advanced(by: .seconds(1))), masks: masks,
            handles: nil)
        let found: (address: UInt, typeName: String)?
        do throws(CommandFailure) {
            found = try reader.object(root, rootName: rootName, path: path, in: source)
        } catch {
            guard error.code == .notFound || error.code == .gone else { throw error }
            throw CommandFailure(
                .gone, "the \(typeName) at \(rendered) is gone: \(error.message)", hint: hint)
        }
        guard let found else {
            throw CommandFailure(
                .gone, "the \(typeName) is gone: no object stands at \(rendered) now", hint: hint
            )
        }
        guard found == (address, typeName) else {
            throw CommandFailure(
                .conflict, "another \(found.typeName) stands at \(rendered) by now", hint: hint)
        }
    }
}

extension ValuePath.Root {
    /// A registered name, or `#7` for an object that was found in memory.
    init(named name: String) {
        let number = name.hasPrefix("#") ? Int(name.dropFirst()) : nil
        self = number.map { .handle($0) } ?? .name(name)
    }
}
#endif
