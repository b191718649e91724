#if TELLTALE_AGENT
/// A ring buffer of the last elements added, in their order.
struct LatestElements<Element>: RandomAccessCollection, MutableCollection {
    private let limit: Int
    private var elements: [Element] = []
    /// The index of the oldest element.
    private var first = 0

    /// Makes a buffer of `limit` elements, at least one.
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

    /// Removes the oldest element; `nil` if there is none.
    mutating func removeOldest() -> Element? {
        guard !elements.isEmpty else { return nil }
        elements = Array(elements[first...] + elements[..<first])
        first = 0
        return elements.removeFirst()
    }

    /// Adds an element in constant time; moving all elements would take microseconds for a thousand.
    ///
    /// - Returns: The oldest element, if it was removed to make room.
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
