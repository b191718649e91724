#if TELLTALE_AGENT
import TelltaleRuntime
import TelltaleSystem

/// An estimate of the memory that values keep from being freed: the storage of their strings and collections,
/// and objects that nothing else refers to, with the contents of those.
///
/// The estimate visits a bounded number of parts; for a large collection it extrapolates from the first
/// elements.
struct KeptSize {
    private static let mostParts = 2048
    private static let sample = 32
    /// The size of the header of a collection's storage.
    private static let header = 32

    private var bytes = 0
    private var parts = 0
    private var seen: Set<UInt> = []

    private struct Root { let value: Any }

    /// Estimates the size of `values`. Called on the owner of the objects that the values refer to.
    static func of(_ values: Any?...) -> Int {
        var size = KeptSize()
        for value in values {
            guard let value else { continue }
            withUnsafePointer(to: Root(value: value)) { root in
                // The place where the value is stored and the agent's code that writes it refer to it too.
                size.add(
                    ValueView(
                        of: Any.self, at: UInt(bitPattern: root), in: .process, isStable: true),
                    references: 6)
            }
        }
        return size.bytes
    }

    private mutating func add(_ view: ValueView?, references: Int = 1) {
        guard let view, parts < Self.mostParts else { return }
        parts += 1
        switch TypeShape.of(view.type) {
        case .string: add(text: StringStorage.read(view, limit: 0)?.byteCount)
        case .substring: add(text: StringStorage.readSubstring(view, limit: 0)?.byteCount)
        case .array(let element): add(ArrayStorage(array: view, element: element))
        case .slice(let element): add(ArrayStorage(slice: view, element: element))
        case .inlineArray(let count, let element):
            guard !TypeMetadata(element).isTrivial else { return }
            add(ArrayStorage(inline: view, count: count, element: element), isStored: false)
        case .dictionary(let key, let value): add(HashStorage(view, key: key, value: value))
        case .set(let element): add(HashStorage(view, key: element, value: nil))
        case .optional(let wrapped):
            if view.isSome == true { add(view.part(type: wrapped), references: references) }
        case .enumeration(let layout):
            guard let current = layout.currentCase(of: view) else { return }
            add(layout.payload(of: view, case: current), references: references)
        case .structure(let fields), .tuple(let fields): add(fields, of: view)
        case .anyHashable: add(NodeMaker.hashableContent(view))
        case .existential(.object), .object: add(object: view.word(), references)
        case .existential(let layout): add(layout.content(of: view), references: references)
        case .scalar(.pointer): add(block: view.word())
        case .function: add(block: view.word(at: 8))
        case .scalar, .character, .staticString, .range, .deque, .mutex, .atomic, .lazyReference,
            .metatype, .opaque:
            break
        }
    }

    /// Adds the storage of a string. Strings of up to 15 bytes are stored in the value itself.
    private mutating func add(text count: Int?) {
        if let count, count > 15 { bytes += count + Self.header }
    }

    private mutating func add(_ array: ArrayStorage?, isStored: Bool = true) {
        guard let array else { return }
        if isStored {
            bytes += Self.header + array.count * TypeMetadata(array.element).stride
        }
        guard !TypeMetadata(array.element).isTrivial else { return }
        let before = bytes
        array.forEach(in: 0..<min(array.count, Self.sample)) { _, element in
            add(element)
            return true
        }
        scale(since: before, to: array.count)
    }

    private mutating func add(_ table: HashStorage?) {
        guard let table else { return }
        bytes += Self.header + table.byteCount
        let before = bytes
        var count = 0
        table.forEach(until: { false }) { _, key, value in
            add(key)
            if table.value != nil { add(value()) }
            count += 1
            return count < Self.sample
        }
        scale(since: before, to: table.count)
    }

    /// Extrapolates from the bytes found in a sample to all elements.
    private mutating func scale(since before: Int, to count: Int) {
        guard count > Self.sample else { return }
        bytes = before + (bytes - before) / Self.sample * count
    }

    private mutating func add(_ fields: [StoredField], of view: ValueView) {
        for field in fields where field.ownership == .strong && !field.isNoncopyable {
            add(view.part(at: field.offset, type: field.type))
        }
    }

    /// Adds an object, unless others refer to it: such an object lives without the agent's reference too.
    private mutating func add(object address: UInt?, _ references: Int) {
        guard let address, address != 0, seen.insert(address).inserted,
            let counts = ReferenceCounts.of(address, in: .process) ?? nil,
            counts.strong <= references,
            let word = MemorySource.process.load(UInt.self, at: address)
        else { return }
        let type = MetadataCheck.type(at: word)
        let size = type.map { TypeMetadata($0).instanceSize } ?? 0
        bytes += ReferenceCounts.block(of: address, size: size, in: .process) ?? size
        guard let type, TypeMetadata(type).kind == .classType else { return }
        for current in TypeMetadata.lineage(of: type) {
            for field in FieldCache.fields(of: current)
            where field.ownership == .strong && !field.isNoncopyable {
                add(
                    ValueView(
                        of: field.type, at: address &+ UInt(bitPattern: field.offset),
                        in: .process, isStable: false))
            }
        }
    }

    private mutating func add(block address: UInt?) {
        guard let address, address != 0, seen.insert(address).inserted else { return }
        bytes += ReferenceCounts.block(of: address, size: 1, in: .process) ?? 0
    }
}
#endif
