#if TELLTALE_AGENT
import TelltaleRuntime

/// Selected elements of an ordered collection.
struct ChosenElements {
    let storage: ArrayStorage
    let type: Any.Type
    let positions: Positions

    /// The positions of the elements, in the requested order.
    enum Positions {
        case range(Range<Int>)
        case list([Int])

        var count: Int {
            switch self {
            case .range(let range): range.count
            case .list(let list): list.count
            }
        }

        /// The position at an index; `nil` if the index is out of range.
        subscript(index: Int) -> Int? {
            guard index >= 0, index < count else { return nil }
            switch self {
            case .range(let range): return range.lowerBound + index
            case .list(let list): return list[index]
            }
        }

        /// The positions in a range of indices.
        func part(_ indices: Range<Int>) -> Positions {
            let indices = indices.clamped(to: 0..<count)
            switch self {
            case .range(let range):
                return .range(
                    range.lowerBound + indices.lowerBound..<range.lowerBound + indices.upperBound)
            case .list(let list): return .list(Array(list[indices]))
            }
        }

        var ascending: Positions {
            if case .list(let list) = self { .list(list.sorted()) } else { self }
        }

        /// Returns a function that tells whether a position is selected.
        func membership() -> (Int) -> Bool {
            switch self {
            case .range(let range): return range.contains
            case .list(let list): return Set(list).contains
            }
        }

        /// Returns a function that maps a position to its index.
        func rank() -> (Int) -> Int {
            switch self {
            case .range(let range): return { $0 - range.lowerBound }
            case .list(let list):
                let ranks = Dictionary(
                    zip(list, list.indices), uniquingKeysWith: { first, _ in first })
                return { ranks[$0] ?? list.count }
            }
        }

        var all: [Int] {
            switch self {
            case .range(let range): Array(range)
            case .list(let list): list
            }
        }
    }
}
#endif
