#if TELLTALE_AGENT
import TelltaleSystem

/// The end of an object's content in its heap block, and the offsets in it that can't contain a reference.
/// Between the end and the next multiple of 16 bytes, the memory has its previous content: a pointer there
/// retains nothing.
package struct ObjectRoom {
    private enum End {
        case at(UInt)
        case unknown
        /// The key path's own byte count.
        case keyPath
        /// The C block's own size.
        case block
    }

    private let end: End
    private var data: DataPlaces?

    /// Describes objects with this first word, which may be the metadata of `type`; nil if the layout of
    /// such objects is unknown.
    package init?(word: UInt, type: Any.Type?) {
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

    /// Returns true if the word at an offset in the object at `start` is data, or is past the object's
    /// content: see ``isBehind(_:in:size:)``.
    package func isNoReference(_ offset: UInt, in start: UInt, size: Int) -> Bool {
        data?.has(offset, in: start) ?? false || isBehind(offset, in: start, size: size)
    }

    /// Returns true if an offset is past the content of the object at `start`, in a block of `size` bytes
    /// without the allocator's header. False if the block is larger than the object needs: it was then
    /// allocated for a longer object.
    func isBehind(_ offset: UInt, in start: UInt, size: Int) -> Bool {
        guard let end = end(of: start), size > 0 else { return false }
        return offset >= end && UInt(size) < end &+ Self.alignment &+ 8
    }

    /// The alignment of glibc's blocks; 8 bytes of each block belong to the allocator.
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

    /// Returns true if objects of a class may have values after their properties. These are only the
    /// standard library's own classes, and those derived from its `ManagedBuffer`. Foundation's classes may
    /// be C's, with sizes of their own.
    private static func mayHaveTail(_ type: Any.Type) -> Bool {
        let names = TypeMetadata.lineage(of: type).map { _typeName($0, qualified: true) }
        return names.contains { $0.hasPrefix("Swift.") }
            || libraries.contains { names[0].hasPrefix($0) }
    }

    private static let libraries = ["_", "Foundation", "Dispatch.", "Synchronization."]

    // MARK: Key paths

    private static let keyPaths = [
        "Swift.KeyPath<", "Swift.WritableKeyPath<", "Swift.ReferenceWritableKeyPath<",
    ]

    /// `KeyPathBuffer` of swift-6.3.1: a header with the components' byte count in its low 24 bits, the
    /// components at the next word, and one more word.
    private static func endOfKeyPath(_ start: UInt) -> UInt? {
        guard let header = GuardedMemory.load(UInt32.self, at: start &+ 24) else { return nil }
        return 32 &+ (UInt(header & 0xFF_FFFF) &+ 7) & ~7 &+ 8
    }

    // MARK: Boxes and blocks

    /// `GenericBoxHeapMetadata` of swift-6.3.1: the offset of the value, and its type.
    private static func endOfBox(_ word: UInt) -> UInt? {
        guard GuardedMemory.load(UInt.self, at: word) == 0x500,
            let offset = GuardedMemory.load(UInt32.self, at: word &+ 8),
            let boxed = GuardedMemory.load(UInt.self, at: word &+ 16),
            let type = MetadataCheck.type(at: boxed)
        else { return nil }
        return UInt(offset) &+ UInt(TypeMetadata(type).size)
    }

    /// The first word of blocks on the heap, read from a sample (the blocks' specification:
    /// "Block-ABI-Apple").
    private static let block: UInt = {
        // A block that captures a value is on the heap.
        let captured = [NativeThread.currentID]
        let one: @convention(block) () -> Void = { _ = captured }
        return withExtendedLifetime(one) {
            UnsafeRawPointer(bitPattern: unsafeBitCast(one, to: UInt.self))?.load(as: UInt.self)
                ?? 0
        }
    }()

    /// The second word of a block's descriptor is its size, including its captures.
    private static func endOfBlock(_ start: UInt) -> UInt? {
        guard let descriptor = GuardedMemory.load(UInt.self, at: start &+ 24),
            let size = GuardedMemory.load(UInt.self, at: descriptor &+ 8), 32...65_536 ~= size
        else { return nil }
        return size
    }
}
#endif
