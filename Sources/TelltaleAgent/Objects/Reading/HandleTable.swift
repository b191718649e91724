#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// The numbers under which answers have named objects: `#7`.
///
/// It knows where an object stood and nothing of the object itself, so that it keeps nothing
/// of the host alive; whoever uses a number checks first that the object still stands there.
/// At most ``capacity`` numbers are kept: those that were used least lately go, an eighth at
/// a time, and earlier at the bound of all that is kept. A number is never given out twice.
final class HandleTable: Sendable {
    /// Where an object stood when it was given its number.
    struct Place: Sendable {
        /// The registered object that it was reached from.
        let rootName: String
        /// The way from there.
        let path: [ValuePath.Component]
        let address: UInt
        let typeName: String
        /// The first word of an object that was found in memory, and by no path: its ``rootName`` is its
        /// own number. 0 of one that was reached from a registered object.
        var foundWord: UInt = 0
    }

    /// How many numbers are kept; some 200 bytes each.
    static let capacity = 16_384

    private let numbers = Locked(PlaceNumbers(capacity: HandleTable.capacity))
    private let memory: KeptMemory?
    /// How many parts of ``part`` bytes are counted by the bound of what is kept, and the number of the next.
    private let parts = Locked((counted: 0, next: 0))

    /// They are counted, and let go of, in parts of so many bytes.
    private static let part = 65_536

    init(memory: KeptMemory? = nil) {
        self.memory = memory
        memory?.dropping(.handles) { [weak self] _ in
            guard let self else { return }
            numbers.withLock { $0.forget(bytes: Self.part) }
            parts.withLock { $0.counted -= 1 }
        }
    }

    // Others than these may be told of them meanwhile: outside of the lock.
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

    /// The number of an object, from 1; the same one each time for the same object at the same
    /// place. 0 without memory.
    func handle(
        rootName: String, path: [ValuePath.Component], address: UInt, typeName: String
    ) -> Int {
        let place = PlaceNumbers.Place(
            rootName: rootName, path: EncodedPath.bytes(of: path), address: address,
            typeName: typeName)
        defer { count() }
        return numbers.withLock { $0.number(of: place) }
    }

    /// The number of an object that was found in memory: no path leads to it, and nobody says who
    /// guards it. 0 without memory.
    func handle(found address: UInt, word: UInt, typeName: String) -> Int {
        // No registered object has an empty name.
        let place = PlaceNumbers.Place(
            rootName: "", path: withUnsafeBytes(of: ~word) { Array($0) }, address: address,
            typeName: typeName)
        defer { count() }
        return numbers.withLock { $0.number(of: place) }
    }

    /// Gives the objects of a tree their numbers, in their order.
    func number(_ tree: ReadTree, rootName: String) {
        numbers.withLock { $0.number(tree, rootName: rootName) }
        count()
    }

    /// Where the object of a number stood; nil if there was never such a number, or it has been
    /// dropped.
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
    /// Checks that the object still stands where it was when it was given its number, below what is
    /// registered as ``rootName`` now.
    ///
    /// To be called on the owner, before the place is read or written.
    /// - Throws: ``CommandFailure/Code/gone`` where nothing stands there any more,
    ///   ``CommandFailure/Code/conflict`` where it is another object.
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
    /// A registered name, or `#7` of an object that was found in memory.
    init(named name: String) {
        let number = name.hasPrefix("#") ? Int(name.dropFirst()) : nil
        self = number.map { .handle($0) } ?? .name(name)
    }
}
#endif
