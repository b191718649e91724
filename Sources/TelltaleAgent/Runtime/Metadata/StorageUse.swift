#if TELLTALE_AGENT
import TelltaleSystem

/// What of the library's own storage objects is in use: a string's and a `Data`'s bytes are no references, and
/// behind an array's last element or in a hash table's empty buckets stands what the memory had before.
struct StorageUse {
    private enum Kind {
        case string
        case array
        case hash(hasValues: Bool)
        case data
    }

    private let kind: Kind
    private var strides: [UInt] = []
    /// Where in an array's element no reference stands.
    private var data: DataPlaces?
    /// Where an array's first element stands.
    private var first: UInt = 0

    private static let header: UInt = 32

    /// Nil for a class that isn't one of these storages, or whose elements aren't known.
    ///
    /// - Parameter type: A class.
    init?(of type: Any.Type) {
        let name = _typeName(type, qualified: true)
        if name == "Swift.__StringStorage" {
            kind = .string
            return
        }
        if name == "FoundationEssentials.__DataStorage" {
            kind = .data
            return
        }
        let arguments: Int
        if name.hasPrefix("Swift._ContiguousArrayStorage<") {
            (kind, arguments) = (.array, 1)
        } else if name.hasPrefix("Swift._SetStorage<") {
            (kind, arguments) = (.hash(hasValues: false), 1)
        } else if name.hasPrefix("Swift._DictionaryStorage<") {
            (kind, arguments) = (.hash(hasValues: true), 2)
        } else {
            return nil
        }
        for index in 0..<arguments {
            guard let element = TypeMetadata(type).classArgument(index) else { return nil }
            let metadata = TypeMetadata(element)
            if index == 0 { first = metadata.offset(behind: Self.header) }
            strides.append(UInt(metadata.stride))
            // A reference alone has no such places.
            if case .array = kind, metadata.kind != .classType { data = DataPlaces(of: element) }
        }
    }

    /// Whether `offset` bytes into the object at `start` nothing stands that it has.
    ///
    /// An append writes the element first and counts it then: a word that is just being added looks unused.
    func isUnused(_ offset: UInt, in start: UInt) -> Bool {
        if case .data = kind { return offset == Self.bytesOfData }
        guard offset >= Self.header else { return false }
        switch kind {
        case .string: return true
        case .array:
            guard let count = GuardedReading.load(UInt.self, at: start &+ 16) else { return false }
            let (size, isOver) = count.multipliedReportingOverflow(by: strides[0])
            if !isOver && offset >= first &+ size { return true }
            guard let data, offset >= first, strides[0] > 0 else { return false }
            let within = (offset &- first) % strides[0]
            return data.has(within, in: start &+ offset &- within)
        case .hash(let hasValues): return isEmptyBucket(offset, in: start, hasValues)
        case .data: return false
        }
    }

    /// Where the address of the bytes stands (swift-foundation 6.3); the deallocator behind it is a closure like
    /// others.
    private static let bytesOfData: UInt = 16

    private func isEmptyBucket(_ offset: UInt, in start: UInt, _ hasValues: Bool) -> Bool {
        let bitmap: UInt = hasValues ? 64 : 56
        guard let scale = GuardedReading.load(Int8.self, at: start &+ 32), 0..<40 ~= scale,
            let keys = GuardedReading.load(UInt.self, at: start &+ 48)
        else { return false }
        let buckets = UInt(1) << UInt(scale)
        var parts = [(base: keys, stride: strides[0])]
        if hasValues, let values = GuardedReading.load(UInt.self, at: start &+ 56) {
            parts.append((values, strides[1]))
        }
        let address = start &+ offset
        for part in parts where part.stride > 0 && address >= part.base {
            let bucket = (address &- part.base) / part.stride
            guard bucket < buckets else { continue }
            let word = start &+ bitmap &+ bucket / 64 &* 8
            guard let bits = GuardedReading.load(UInt.self, at: word) else { return false }
            return bits & (1 << (bucket % 64)) == 0
        }
        return false
    }
}
#endif
