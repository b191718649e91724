#if TELLTALE_AGENT
/// Some elements of an ordered collection.
struct ChosenElements {
    let storage: ArrayStorage
    let type: Any.Type
    let positions: Positions

    /// Where elements stand, in the order in which they are wanted.
    enum Positions {
        case range(Range<Int>)
        case list([Int])

        var count: Int {
            switch self {
            case .range(let range): range.count
            case .list(let list): list.count
            }
        }

        /// The position at an index; nil where there are not so many.
        subscript(index: Int) -> Int? {
            guard index >= 0, index < count else { return nil }
            switch self {
            case .range(let range): return range.lowerBound + index
            case .list(let list): return list[index]
            }
        }

        /// Some of them, from an index on.
        func part(_ indices: Range<Int>) -> Positions {
            let indices = indices.clamped(to: 0..<count)
            switch self {
            case .range(let range):
                return .range(
                    range.lowerBound + indices.lowerBound..<range.lowerBound + indices.upperBound)
            case .list(let list): return .list(Array(list[indices]))
            }
        }

        /// Says whether a position is one of them.
        func membership() -> (Int) -> Bool {
            switch self {
            case .range(let range): return range.contains
            case .list(let list): return Set(list).contains
            }
        }

        /// Says at which index a position is.
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
