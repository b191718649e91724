#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// Finds the class whose objects have descriptors in their properties: whose sessions keep the sockets open.
enum DescriptorOwners {
    struct Owner {
        var type: String
        /// The number of descriptors that its objects have.
        var count: Int
    }

    /// The maximum number of classes that are looked at, and of their objects.
    private static let mostClasses = 16
    private static let mostObjects = 65_536

    private struct Candidate {
        var word: UInt
        var name: String
        /// The offsets of its properties of type `Int32`.
        var offsets: [Int]
    }

    /// Returns the class that has the most of these descriptors; `nil` if none has half of them.
    static func owner(of descriptors: Set<Int32>, until deadline: MonotonicTime) -> Owner? {
        guard descriptors.count > 1,
            let census = try? HeapCensus.counted(until: deadline, capacity: mostObjects)
        else { return nil }
        let candidates = candidates(in: census, atLeast: descriptors.count / 2)
        guard !candidates.isEmpty else { return nil }
        for candidate in candidates { census.want(candidate.word) }
        census.count()
        let byWord = Dictionary(candidates.map { ($0.word, $0) }) { first, _ in first }
        var found: [UInt: Set<Int32>] = [:]
        for address in census.kept {
            guard let word = GuardedMemory.load(UInt.self, at: address),
                let candidate = byWord[word]
            else { continue }
            for offset in candidate.offsets {
                let number = GuardedMemory.load(Int32.self, at: address &+ UInt(offset))
                if let number, descriptors.contains(number) {
                    found[word, default: []].insert(number)
                }
            }
        }
        let best = found.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }
        guard let best, best.value.count * 2 >= descriptors.count, let owner = byWord[best.key]
        else { return nil }
        return Owner(type: owner.name, count: best.value.count)
    }

    private static func candidates(in census: HeapCensus, atLeast least: Int) -> [Candidate] {
        let names = HeapNames(census)
        var found: [Candidate] = []
        for row in census.rows where row.count >= least {
            guard found.count < mostClasses else { break }
            guard let name = names.name(of: row), name.kind == "class", !name.isAgents,
                let type = name.type
            else { continue }
            let offsets = FieldCache.fields(of: type).filter { $0.type == Int32.self }.map(\.offset)
            if !offsets.isEmpty {
                found.append(Candidate(word: row.word, name: name.text, offsets: offsets))
            }
        }
        return found
    }
}
#endif
