#if TELLTALE_AGENT
/// The numbers that answers have given to objects, by the location of each object.
///
/// The least recently used locations are dropped, an eighth at a time, once `capacity` is reached. A number is
/// never reused. For use by one thread at a time.
package final class PlaceNumbers {
    /// The location at which an object was found; the path as bytes.
    package struct Place: Hashable {
        package let rootName: String
        package let path: [UInt8]
        package let typeName: String
        // The complement of the address: a search for retainers would find the plain word.
        private let complement: UInt

        package init(rootName: String, path: [UInt8], address: UInt, typeName: String) {
            self.rootName = rootName
            self.path = path
            self.typeName = typeName
            complement = ~address
        }

        package var address: UInt { ~complement }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(complement)
            hasher.combine(rootName)
            path.withUnsafeBytes { hasher.combine(bytes: $0) }
        }

        /// The memory of a location, in both tables and in its path.
        fileprivate var size: Int { 160 &+ path.count }
    }

    private struct Entry {
        let place: Place
        var lastUse: Int
    }

    private let capacity: Int
    private var entries: [Int: Entry] = [:]
    /// The numbers by their locations' hashes: a location is stored only once.
    private var numbers: [Int: Int] = [:]
    private var last = 0
    private var uses = 0
    /// The memory that the entries take.
    package private(set) var bytes = 0

    package init(capacity: Int) { self.capacity = max(capacity, 1) }

    /// Removes the least recently used entries, to release `bytes` bytes.
    package func forget(bytes: Int) {
        let rest = self.bytes &- bytes
        forget { self.bytes > rest }
    }

    private func forget(while condition: () -> Bool) {
        let byUse = entries.map { (use: $0.value.lastUse, number: $0.key) }
            .sorted { $0.use < $1.use }
        for (_, number) in byUse where condition() {
            guard let place = entries.removeValue(forKey: number)?.place else { continue }
            bytes &-= place.size
            if numbers[place.hashValue] == number { numbers[place.hashValue] = nil }
        }
    }

    /// The number of a location, from 1, the same one each time.
    package func number(of place: Place) -> Int {
        uses &+= 1
        let hash = place.hashValue
        if let number = numbers[hash], let index = entries.index(forKey: number),
            entries.values[index].place == place
        {
            entries.values[index].lastUse = uses
            return number
        }
        if entries.count >= capacity {
            let rest = capacity &- max(capacity / 8, 1)
            forget { self.entries.count > rest }
        }
        last &+= 1
        entries[last] = Entry(place: place, lastUse: uses)
        numbers[hash] = last
        bytes &+= place.size
        return last
    }

    /// Assigns numbers to the objects of a tree, in their order.
    package func number(_ tree: ReadTree, rootName: String) {
        tree.number { number(of: Place(rootName: rootName, path: $1, address: $0, typeName: $2)) }
    }

    /// The location of the object with a number; nil if the number was never assigned, or was removed.
    package func place(of number: Int) -> Place? {
        guard let place = entries[number]?.place else { return nil }
        uses &+= 1
        entries[number]?.lastUse = uses
        return place
    }
}
#endif
