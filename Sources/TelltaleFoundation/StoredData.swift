#if TELLTALE_AGENT
import Foundation
import TelltaleAgent
import TelltaleProtocol

/// Reads `Data` where it stands.
///
/// Checked against swift-foundation 6.3.1: an enum of 14 bytes, a range of a storage, or a range in a
/// box and a storage; the storage has an address, and the index that stands there.
enum StoredData {
    private enum Content {
        case here([UInt8])
        case at(UInt, count: Int)

        var count: Int {
            switch self {
            case .here(let bytes): bytes.count
            case .at(_, let count): count
            }
        }
    }

    /// Indicates that this process's Foundation stores data so.
    static let isKnown: Bool = {
        let long = Data((0..<100).map { UInt8($0) })
        let samples = [
            Data(), Data([1, 2, 3]), Data(0..<14), Data(0..<15), long, long[10..<40],
            long.dropFirst(98), Data(count: 5000),
        ]
        return samples.allSatisfy { sample in
            let shown = StoredValue.reading(sample) { rendering(of: $0, bytes: 1 << 16) }
            return shown?.text == sample.base64EncodedString()
        }
    }()

    /// The data in base 64, as far as there is room.
    static func rendering(of value: StoredValue, bytes: Int) -> ValueFormat.Rendering? {
        guard let content = content(of: value) else { return nil }
        let count = content.count
        let shown = min(count, max(0, bytes / 4 * 3))
        let part: [UInt8]?
        switch content {
        case .here(let bytes): part = Array(bytes.prefix(shown))
        case .at(let address, _):
            part = shown == 0 ? [] : value.bytes(at: address, count: shown)
        }
        guard let part else { return nil }
        let amount = Quantity.count(count, "byte", "bytes")
        return ValueFormat.Rendering(
            Data(part).base64EncodedString(),
            note: shown < count ? "\(amount), the first \(Quantity.count(shown)) shown" : amount)
    }

    private static func content(of value: StoredValue) -> Content? {
        guard let (form, payload) = value.property("_representation")?.enumeration else {
            return nil
        }
        if form == "empty" { return .here([]) }
        guard let payload else { return nil }
        if form == "inline" {
            guard let length = payload.property("length")?.load(UInt8.self),
                let bytes = payload.property("bytes")?.bytes, length <= bytes.count
            else { return nil }
            return .here(Array(bytes.prefix(Int(length))))
        }
        guard let slice = payload.property("slice"), let storage = payload.property("storage"),
            let start = storage.property("_bytes")?.load(UInt.self),
            let offset = storage.property("_offset")?.load(Int.self)
        else { return nil }
        var bounds: (Int, Int)?
        if form == "slice", let low = slice.load(Int32.self),
            let high = slice.load(Int32.self, at: 4)
        {
            bounds = (Int(low), Int(high))
        } else if form == "large", let range = slice.property("range"),
            let low = range.load(Int.self), let high = range.load(Int.self, at: 8)
        {
            bounds = (low, high)
        }
        guard let (low, high) = bounds, low >= 0, high >= low else { return nil }
        return .at(start &+ UInt(bitPattern: low &- offset), count: high - low)
    }
}
#endif
