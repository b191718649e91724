#if TELLTALE_AGENT
/// The entries of a dictionary or a set, in storage order.
///
/// Layout of the native storage, checked against swift-6.3.1: count, capacity, scale, seed, then the keys'
/// address, a dictionary's values' address, and a bit for each bucket.
package struct HashStorage {
    package let key: Any.Type
    /// nil for a set.
    package let value: Any.Type?
    package let count: Int
    private let bucketCount: Int
    /// The size of all entries in bytes, including free ones.
    package var byteCount: Int {
        bucketCount
            * (TypeMetadata(key).stride + (value.map { TypeMetadata($0).stride } ?? 0))
    }
    private let keys: UInt
    private let values: UInt
    private let bitmap: UInt
    private let view: ValueView

    package init?(_ view: ValueView, key: Any.Type, value: Any.Type?) {
        guard let object = view.word(), object > 0xFFFF, object & 7 == 0,
            let header = MemoryBlock(reading: object, count: 64, in: view.source),
            let count = header.load(Int.self, at: 16),
            let capacity = header.load(Int.self, at: 24),
            let scale = header.load(Int8.self, at: 32),
            let keys = header.load(UInt.self, at: 48)
        else { return nil }
        guard scale >= 0, scale < 40, count >= 0, count <= capacity, capacity <= 1 << Int(scale)
        else { return nil }
        self.key = key
        self.value = value
        self.count = count
        bucketCount = 1 << Int(scale)
        self.keys = keys
        values = value == nil ? 0 : header.load(UInt.self, at: 56) ?? 0
        bitmap = object &+ (value == nil ? 56 : 64)
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
        while bucket < bucketCount, position < count {
            let end = min(bucketCount, bucket + min(chunk, 4096))
            let words = bucket / 64
            guard
                let bits = MemoryBlock(
                    reading: bitmap &+ UInt(words &* 8), count: ((end + 63) / 64 - words) * 8,
                    in: view.source),
                let block = MemoryBlock(
                    reading: keys &+ UInt(bitPattern: bucket &* keyStride),
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
            of: value, at: values &+ UInt(bitPattern: bucket &* stride), in: view.source,
            isStable: view.isStable)
    }
}
#endif
