#if TELLTALE_AGENT
import TelltaleProtocol

/// The nodes of an answer in the order in which they are written, one after the other with their texts. A
/// node is identified by its offset; the root is at 0.
///
/// A node begins with a head. A node that is not a leaf continues with a tail; then come the text, and up to
/// three bytes so that the next head is at a multiple of four. With nodes of one size, half of the time of a
/// walk went into getting pages for them, and most of them were leaves.
struct FlatTree {
    /// `what` contains the type in 20 bits, the kind in 4 and the flags in 8.
    struct Head {
        var label: UInt32
        var what: UInt32
        var textSize: UInt32

        init(_ kind: NodeKind, _ type: NameNumber, _ label: UInt32, _ flags: NodeFlags) {
            self.label = label
            what = (type & FlatTree.noType) << 12 | UInt32(kind.rawValue) << 8 | flags.rawValue
            textSize = 0
        }

        var flags: NodeFlags { NodeFlags(rawValue: what & 255) }
        var kind: NodeKind { NodeKind(rawValue: UInt8(what >> 8 & 15)) ?? .unavailable }
        var type: NameNumber {
            what >> 12 == FlatTree.noType ? noName : what >> 12
        }
    }

    private struct Tail {
        /// 0 as long as there are no parts.
        var end: UInt32
        var handle: Int32
        var note: NameNumber
        var cut: NameNumber
        var value: UInt64
        var omitted: UInt64
    }

    /// An object that needs a number, with its location: a part of the paths' bytes.
    struct Place {
        var address: UInt
        var type: NameNumber
        var path: Int
        var pathSize: Int
    }

    static let kinds: [ValueNode.Kind] = [
        .scalar, .string, .object, .structure, .enumeration, .none, .tuple, .array, .set,
        .dictionary, .opaque, .reference, .masked, .unavailable,
    ]
    static let headSize = MemoryLayout<Head>.size
    private static let tailSize = MemoryLayout<Tail>.size
    fileprivate static let noType: UInt32 = 0xFFFFF

    private(set) var nodes = OwnPages()
    /// The number of nodes, the offset of the last one, and the size of all texts.
    private(set) var count = 0
    private(set) var last = 0
    private(set) var textSize = 0
    private(set) var places = OwnPages()
    private(set) var paths = OwnPages()
    /// There was no memory, or no name: the tree must not be used.
    var hasFailed = false

    init() {}

    /// Creates a tree whose objects are added to the locations of another one.
    init(placesOf other: FlatTree) { (places, paths) = (other.places, other.paths) }

    /// Takes the locations of a tree that was created with this one's, and frees the other's nodes.
    mutating func takePlaces(of other: FlatTree) {
        (places, paths) = (other.places, other.paths)
        if other.hasFailed { hasFailed = true }
        other.nodes.free()
    }

    func free() {
        nodes.free()
        places.free()
        paths.free()
    }

    var size: Int { nodes.size }

    // MARK: Reading

    @inline(__always)
    func head(at place: Int) -> Head {
        nodes.start?.load(fromByteOffset: place, as: Head.self)
            ?? Head(.unavailable, noName, noName, [])
    }

    @inline(__always)
    private func tail(at place: Int) -> Tail? {
        guard head(at: place).flags.contains(.hasTail) else { return nil }
        return nodes.start?.loadUnaligned(fromByteOffset: place &+ Self.headSize, as: Tail.self)
    }

    /// Returns the node at an offset of a node.
    @inline(__always)
    func node(at place: Int) -> FlatNode {
        let head = head(at: place)
        var node = FlatNode(
            kind: head.kind, type: head.type, label: head.label,
            flags: head.flags.subtracting(.hasTail))
        var start = place &+ Self.headSize
        if let tail = tail(at: place) {
            start &+= Self.tailSize
            (node.end, node.handle) = (Int(tail.end), tail.handle)
            (node.note, node.cut) = (tail.note, tail.cut)
            (node.value, node.omitted) = (tail.value, tail.omitted)
        }
        node.text = UnsafeRawBufferPointer(
            start: nodes.start?.advanced(by: start), count: Int(head.textSize))
        node.next = start &+ Self.padded(Int(head.textSize))
        if node.end == 0 { node.end = node.next }
        return node
    }

    @inline(__always)
    private static func padded(_ size: Int) -> Int { (size &+ 3) & ~3 }

    /// The offsets of a node's parts.
    func parts(of place: Int) -> [Int] {
        var parts: [Int] = []
        let node = node(at: place)
        var part = node.next
        while part < node.end {
            parts.append(part)
            part = self.node(at: part).end
        }
        return parts
    }

    /// The offset of the property that a sequence of names leads to.
    func part(of place: Int, _ names: [NameNumber]) -> Int? {
        var place = place
        for name in names {
            let node = node(at: place)
            var part = node.next
            while part < node.end, head(at: part).label != name { part = self.node(at: part).end }
            guard part < node.end, !head(at: part).flags.contains(.isElement) else { return nil }
            place = part
        }
        return place
    }

    // MARK: Adding

    /// Returns the place for the text of a leaf that may be added next; nil if there is no memory.
    @inline(__always)
    mutating func leafText(_ most: Int) -> UnsafeMutableRawPointer? {
        guard let end = nodes.end(for: Self.headSize &+ most &+ 4) else {
            hasFailed = true
            return nil
        }
        return end + Self.headSize
    }

    /// Adds a leaf, whose text is already in its place.
    @inline(__always)
    mutating func addLeaf(_ head: Head, textSize size: Int) {
        var head = head
        head.textSize = UInt32(truncatingIfNeeded: size)
        last = nodes.size
        nodes.start?.storeBytes(of: head, toByteOffset: last, as: Head.self)
        count &+= 1
        textSize &+= size
        nodes.size = last &+ Self.headSize &+ Self.padded(size)
    }

    /// Adds a node without parts, with a copied text; returns its offset.
    mutating func add(_ node: FlatNode, text: UnsafeRawBufferPointer? = nil) -> Int {
        var flags = node.flags
        if let text {
            flags.insert(.hasText)
            if TextScan(text).isSimple { flags.insert(.isPlain) }
        }
        let isLeaf =
            !node.mayHaveParts && node.handle == 0 && node.note == noName && node.cut == noName
        let size = text?.count ?? 0
        let tailSize = isLeaf ? 0 : Self.tailSize
        guard let room = leafText(tailSize &+ size) else { return 0 }
        if !isLeaf {
            flags.insert(.hasTail)
            let tail = Tail(
                end: 0, handle: node.handle, note: node.note, cut: node.cut, value: node.value,
                omitted: node.omitted)
            room.storeBytes(of: tail, as: Tail.self)
        }
        if let start = text?.baseAddress {
            (room + tailSize).copyMemory(from: start, byteCount: size)
        }
        addLeaf(Head(node.kind, node.type, node.label, flags), textSize: size)
        nodes.size &+= tailSize
        return last
    }

    private mutating func change(_ place: Int, _ body: (inout Tail) -> Void) {
        guard !hasFailed, place < size, var tail = tail(at: place) else {
            hasFailed = true
            return
        }
        body(&tail)
        nodes.start?.storeBytes(of: tail, toByteOffset: place &+ Self.headSize, as: Tail.self)
    }

    /// Ends the parts of a node: the nodes added since are its parts.
    mutating func close(_ place: Int) {
        guard place != last else { return }
        let end = UInt32(truncatingIfNeeded: size)
        change(place) { $0.end = end }
    }

    /// Sets the reason why parts of a node are missing, and their number.
    mutating func cut(_ place: Int, _ reason: NameNumber, omitted: UInt64) {
        change(place) { ($0.cut, $0.omitted) = (reason, omitted) }
        guard !hasFailed else { return }
        var head = head(at: place)
        head.what |= NodeFlags.hasOmitted.rawValue
        nodes.start?.storeBytes(of: head, toByteOffset: place, as: Head.self)
    }

    /// Sets the note of a node that may have parts.
    mutating func note(_ place: Int, _ note: NameNumber) { change(place) { $0.note = note } }

    // MARK: Locations

    /// Records an object's location, whose path a body appends; returns its provisional handle.
    mutating func addPlace(
        _ address: UInt, _ type: NameNumber, _ path: (inout OwnPages) -> Bool
    ) -> Int32 {
        let (start, size) = (paths.size, MemoryLayout<Place>.stride)
        guard path(&paths), let room = places.end(for: size) else {
            hasFailed = true
            return 0
        }
        room.storeBytes(
            of: Place(address: address, type: type, path: start, pathSize: paths.size &- start),
            as: Place.self)
        places.size &+= size
        return Int32(clamping: -placeCount)
    }

    var placeCount: Int { places.size / MemoryLayout<Place>.stride }

    func place(_ index: Int) -> Place? {
        let stride = MemoryLayout<Place>.stride
        guard index >= 0, index < placeCount else { return nil }
        return places.start?.load(fromByteOffset: index &* stride, as: Place.self)
    }
}
#endif
