#if TELLTALE_AGENT
/// The last elements of all that were added, in their order; a bounded number.
struct LatestElements<Element>: RandomAccessCollection, MutableCollection {
    private let limit: Int
    private var elements: [Element] = []
    /// Where the oldest one stands.
    private var first = 0

    /// Keeps `limit` elements, at least one.
    init(limit: Int) { self.limit = Swift.max(1, limit) }

    var startIndex: Int { 0 }
    var endIndex: Int { elements.count }

    subscript(position: Int) -> Element {
        get { elements[place(of: position)] }
        set { elements[place(of: position)] = newValue }
        _modify { yield &elements[place(of: position)] }
    }

    private func place(of position: Int) -> Int {
        let place = first + position
        return place < elements.count ? place : place - elements.count
    }

    /// Takes the oldest element out; nil where there is none.
    mutating func removeOldest() -> Element? {
        guard !elements.isEmpty else { return nil }
        elements = Array(elements[first...] + elements[..<first])
        first = 0
        return elements.removeFirst()
    }

    /// Adds an element. In constant time, where moving them all would take microseconds for a thousand.
    ///
    /// - Returns: The oldest one, where it had to make room.
    mutating func append(_ element: Element) -> Element? {
        guard elements.count == limit else {
            elements.append(element)
            return nil
        }
        let oldest = elements[first]
        elements[first] = element
        first = first + 1 == limit ? 0 : first + 1
        return oldest
    }
}
#endif
