#if TELLTALE_AGENT
import TelltaleSystem

/// The used parts of the standard library's storage objects. The bytes of a string or a `Data` are not
/// references. After an array's last element, and in a hash table's empty buckets, the memory has its
/// previous content.
package struct StorageUse {
    private enum Kind {
        case string
        case array
        case hash(hasValues: Bool)
        case data
    }

    private let kind: Kind
    private var strides: [UInt] = []
    /// The offsets without references in an element, a key or a value; nil if it is a reference itself.
    private var data: [DataPlaces?] = []
    /// The offset of an array's first element.
    private var first: UInt = 0

    private static let header: UInt = 32

    /// Nil for a class that isn't one of these storages, or whose element type is unknown.
    ///
    /// - Parameter type: A class.
    package init?(of type: Any.Type) {
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
            data.append(metadata.kind == .classType ? nil : DataPlaces(of: element))
        }
    }

    /// Returns true if the word at an offset in the object at `start` is not part of its content.
    ///
    /// An append writes the element before it updates the count. So a word that is just being added looks
    /// unused.
    package func isUnused(_ offset: UInt, in start: UInt) -> Bool {
        if case .data = kind { return offset == Self.bytesOfData }
        guard offset >= Self.header else { return false }
        switch kind {
        case .string: return true
        case .array:
            guard let count = GuardedReading.load(UInt.self, at: start &+ 16) else { return false }
            let (size, isOver) = count.multipliedReportingOverflow(by: strides[0])
            if !isOver && offset >= first &+ size { return true }
            return offset >= first && isData(0, offset &- first, at: start &+ offset)
        case .hash(let hasValues): return isUnusedCell(offset, in: start, hasValues)
        case .data: return false
        }
    }

    /// The offset of the address of the bytes (swift-foundation 6.3). The deallocator after it is an
    /// ordinary closure.
    private static let bytesOfData: UInt = 16

    /// Returns true if the word at `address` is data of an element. `offset` is its distance from the first
    /// element.
    private func isData(_ part: Int, _ offset: UInt, at address: UInt) -> Bool {
        guard let places = data[part], strides[part] > 0 else { return false }
        let within = offset % strides[part]
        return places.has(within, in: address &- within)
    }

    private func isUnusedCell(_ offset: UInt, in start: UInt, _ hasValues: Bool) -> Bool {
        let bitmap: UInt = hasValues ? 64 : 56
        guard let scale = GuardedReading.load(Int8.self, at: start &+ 32), 0..<40 ~= scale,
            let keys = GuardedReading.load(UInt.self, at: start &+ 48)
        else { return false }
        let buckets = UInt(1) << UInt(scale)
        var bases = [keys]
        if hasValues, let values = GuardedReading.load(UInt.self, at: start &+ 56) {
            bases.append(values)
        }
        let address = start &+ offset
        for (part, base) in bases.enumerated() where strides[part] > 0 && address >= base {
            let bucket = (address &- base) / strides[part]
            guard bucket < buckets else { continue }
            let word = start &+ bitmap &+ bucket / 64 &* 8
            guard let bits = GuardedReading.load(UInt.self, at: word) else { return false }
            return bits & (1 << (bucket % 64)) == 0 || isData(part, address &- base, at: address)
        }
        return false
    }
}
#endif
