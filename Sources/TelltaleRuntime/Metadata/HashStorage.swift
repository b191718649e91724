#if TELLTALE_AGENT
/// The native storage of a dictionary or a set, checked against swift-6.3.1: count, capacity, scale, seed,
/// then the keys' address, a dictionary's values' address, and a bit for each bucket.
package struct HashLayout {
    /// The first words of a storage object.
    package typealias Header = (UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt)

    package static let noHeader: Header = (0, 0, 0, 0, 0, 0, 0, 0)
    package static let headerSize = 64

    package let count: Int
    package let bucketCount: Int
    package let keys: UInt
    package let values: UInt
    package let bitmap: UInt

    /// Decodes the header of the storage object at an address; nil if the words are not a header.
    ///
    /// - Parameters:
    ///   - header: The first words of the object.
    ///   - object: The address of the object.
    ///   - hasValues: True for a dictionary.
    package init?(_ header: Header, at object: UInt, hasValues: Bool) {
        let scale = Int8(truncatingIfNeeded: header.4)
        guard let count = Int(exactly: header.2), let capacity = Int(exactly: header.3),
            scale >= 0, scale < 40, count <= capacity, capacity <= 1 << Int(scale)
        else { return nil }
        self.count = count
        bucketCount = 1 << Int(scale)
        keys = header.6
        values = hasValues ? header.7 : 0
        bitmap = object &+ (hasValues ? 64 : 56)
    }
}

/// The entries of a dictionary or a set, in storage order.
package struct HashStorage {
    package let key: Any.Type
    /// nil for a set.
    package let value: Any.Type?
    /// The address of the storage object.
    package let object: UInt
    package let layout: HashLayout
    private let view: ValueView

    package var count: Int { layout.count }
    package var isStable: Bool { view.isStable }
    /// The size of all entries in bytes, including free ones.
    package var byteCount: Int {
        layout.bucketCount
            * (TypeMetadata(key).stride + (value.map { TypeMetadata($0).stride } ?? 0))
    }

    package init?(_ view: ValueView, key: Any.Type, value: Any.Type?) {
        guard let object = view.word(), object > 0xFFFF, object & 7 == 0,
            let header = MemoryBlock(
                reading: object, count: HashLayout.headerSize, in: view.source)?
                .load(HashLayout.Header.self, at: 0),
            let layout = HashLayout(header, at: object, hasValues: value != nil)
        else { return nil }
        self.key = key
        self.value = value
        self.object = object
        self.layout = layout
        self.view = view
    }

    /// Reads the entries one after the other. `isDone` is called between the keys, so that a search in a
    /// large table ends in time. `body` receives a position, the key and a function that reads the value.
    /// It returns false to stop.
    package func forEach(
        until isDone: () -> Bool, _ body: (Int, ValueView, () -> ValueView?) -> Bool
    ) {
        guard count > 0 else { return }
        let keyStride = TypeMetadata(key).stride
        let keySize = TypeMetadata(key).size
        let chunk = max(1, 32_768 / keyStride)
        var position = 0
        var bucket = 0
        while bucket < layout.bucketCount, position < count {
            let end = min(layout.bucketCount, bucket + min(chunk, 4096))
            let words = bucket / 64
            guard
                let bits = MemoryBlock(
                    reading: layout.bitmap &+ UInt(words &* 8),
                    count: ((end + 63) / 64 - words) * 8,
                    in: view.source),
                let block = MemoryBlock(
                    reading: layout.keys &+ UInt(bitPattern: bucket &* keyStride),
                    count: (end - bucket - 1) &* keyStride &+ keySize, in: view.source)
            else { return }
            for index in bucket..<end {
                guard let word = bits.load(UInt.self, at: (index / 64 - words) * 8),
                    word & (1 << UInt(index % 64)) != 0
                else { continue }
                let keyView = ValueView(
                    block: block, offset: (index - bucket) &* keyStride, type: key,
                    isStable: view.isStable)
                guard body(position, keyView, { value(at: index) }), !isDone() else { return }
                position += 1
            }
            bucket = end
        }
    }

    private func value(at bucket: Int) -> ValueView? {
        guard let value else { return nil }
        let stride = TypeMetadata(value).stride
        return ValueView(
            of: value, at: layout.values &+ UInt(bitPattern: bucket &* stride), in: view.source,
            isStable: view.isStable)
    }
}
#endif
