#if TELLTALE_AGENT
import TelltaleSystem

/// Where what an object has ends in its block of the allocator's, and where in it no reference stands. Behind
/// its end, up to a multiple of 16 bytes, the memory has still what stood there before: a pointer there holds
/// nothing.
struct ObjectRoom {
    private enum End {
        case at(UInt)
        case unknown
        /// A key path's own count of bytes.
        case keyPath
        /// A C block's own size.
        case block
    }

    private let end: End
    private var data: DataPlaces?

    /// Of objects with this first word, which may be the metadata of `type`; nil where it says nothing of
    /// them.
    init?(word: UInt, type: Any.Type?) {
        if let type {
            let name = _typeName(type, qualified: true)
            if Self.keyPaths.contains(where: { name.hasPrefix($0) }) {
                end = .keyPath
            } else if TypeMetadata(type).kind == .classType {
                end =
                    Self.mayHaveTail(type) ? .unknown : .at(UInt(TypeMetadata(type).instanceSize))
                data = DataPlaces(of: type)
            } else {
                return nil
            }
        } else if word == Self.block {
            end = .block
        } else if let captured = ClosureCaptures(metadata: word)?.end ?? Self.endOfBox(word) {
            end = .at(captured)
        } else {
            return nil
        }
    }

    /// Whether the word so many bytes into the object at `start` is data, or behind all that it has: see
    /// ``isBehind(_:in:size:)``.
    func isNoReference(_ offset: UInt, in start: UInt, size: Int) -> Bool {
        data?.has(offset, in: start) ?? false || isBehind(offset, in: start, size: size)
    }

    /// Whether `offset` bytes into the object at `start` is behind all that it has, in a block of `size` bytes
    /// without the allocator's header. One that has room for more than the object was made for something
    /// longer, and nothing is said of it.
    func isBehind(_ offset: UInt, in start: UInt, size: Int) -> Bool {
        guard let end = end(of: start), size > 0 else { return false }
        return offset >= end && UInt(size) < end &+ Self.alignment &+ 8
    }

    /// Blocks of glibc's are multiples of this, and 8 bytes of them are its own.
    private static let alignment: UInt = 16

    private func end(of start: UInt) -> UInt? {
        switch end {
        case .at(let end): end
        case .unknown: nil
        case .keyPath: Self.endOfKeyPath(start)
        case .block: Self.endOfBlock(start)
        }
    }

    // MARK: Classes

    /// Only the library's own classes and those made from its `ManagedBuffer` can have values behind their
    /// properties; Foundation's may be C's, which says their sizes.
    private static func mayHaveTail(_ type: Any.Type) -> Bool {
        var next: Any.Type? = type
        while let current = next {
            let name = _typeName(current, qualified: true)
            if name.hasPrefix("Swift.") { return true }
            next = TypeMetadata(current).superclass
        }
        let name = _typeName(type, qualified: true)
        return libraries.contains { name.hasPrefix($0) }
    }

    private static let libraries = ["_", "Foundation", "Dispatch.", "Synchronization."]

    // MARK: Key paths

    private static let keyPaths = [
        "Swift.KeyPath<", "Swift.WritableKeyPath<", "Swift.ReferenceWritableKeyPath<",
    ]

    /// `KeyPathBuffer` of swift-6.3.1: a header whose low 24 bits are the components' bytes, these at the next
    /// word, and one word more.
    private static func endOfKeyPath(_ start: UInt) -> UInt? {
        guard let header = GuardedMemory.load(UInt32.self, at: start &+ 24) else { return nil }
        return 32 &+ (UInt(header & 0xFF_FFFF) &+ 7) & ~7 &+ 8
    }

    // MARK: Boxes and blocks

    /// `GenericBoxHeapMetadata` of swift-6.3.1: where the value stands, and its type.
    private static func endOfBox(_ word: UInt) -> UInt? {
        guard GuardedMemory.load(UInt.self, at: word) == 0x500,
            let offset = GuardedMemory.load(UInt32.self, at: word &+ 8),
            let boxed = GuardedMemory.load(UInt.self, at: word &+ 16),
            let type = MetadataCheck.type(at: boxed)
        else { return nil }
        return UInt(offset) &+ UInt(TypeMetadata(type).size)
    }

    /// The first word of blocks on the heap, as one has it (the blocks' specification: "Block-ABI-Apple").
    private static let block: UInt = {
        // One that captures something is on the heap.
        let captured = [NativeThread.currentID]
        let one: @convention(block) () -> Void = { _ = captured }
        return withExtendedLifetime(one) {
            UnsafeRawPointer(bitPattern: unsafeBitCast(one, to: UInt.self))?.load(as: UInt.self)
                ?? 0
        }
    }()

    /// What it captures is counted in its descriptor's second word.
    private static func endOfBlock(_ start: UInt) -> UInt? {
        guard let descriptor = GuardedMemory.load(UInt.self, at: start &+ 24),
            let size = GuardedMemory.load(UInt.self, at: descriptor &+ 8), 32...65_536 ~= size
        else { return nil }
        return size
    }
}
#endif
