#if TELLTALE_AGENT
/// The elements of an array, an array slice or an inline array.
///
/// Layout checked against swift-6.3.1.
package struct ArrayStorage {
    package let element: Any.Type
    package let count: Int
    private let first: UInt
    private let stride: Int
    /// The array itself.
    package let view: ValueView
    /// True if the elements are in the value itself.
    private let isInline: Bool

    /// The largest plausible count; a larger one means that the bytes are not an array.
    private static let most = 1 << 40

    private init?(
        _ view: ValueView, of element: Any.Type, count: Int, from first: UInt,
        isInline: Bool = false
    ) {
        guard count >= 0, count < Self.most else { return nil }
        self.element = element
        self.count = count
        self.first = first
        stride = TypeMetadata(element).stride
        self.view = view
        self.isInline = isInline
    }

    /// The address of element 0, also if a slice begins later; nil if the elements are in the value itself.
    package var start: UInt? { isInline ? nil : first }

    /// An array is one word: a reference to an object with the count after its header.
    package init?(array view: ValueView, element: Any.Type) {
        guard let object = view.word(), object > 0xFFFF, object & 7 == 0,
            let header = MemoryBlock(reading: object, count: 32, in: view.source),
            let count = header.load(Int.self, at: 16),
            let capacity = header.load(UInt.self, at: 24), count <= Int(capacity >> 1)
        else { return nil }
        let first = object &+ TypeMetadata(element).offset(behind: 32)
        self.init(view, of: element, count: count, from: first)
    }

    /// A slice: its owner, the address that element 0 would have, its start, and a word with twice its end
    /// and a flag.
    package init?(slice view: ValueView, element: Any.Type) {
        guard let base = view.word(at: 8), let start = view.load(Int.self, at: 16),
            let flags = view.word(at: 24)
        else { return nil }
        let end = Int(flags >> 1)
        guard start >= 0, end >= start, end < Self.most else { return nil }
        let distance = start &* TypeMetadata(element).stride
        self.init(
            view, of: element, count: end - start, from: base &+ UInt(bitPattern: distance))
    }

    /// An inline array, whose count is in its type.
    package init?(inline view: ValueView, count: Int, element: Any.Type) {
        self.init(view, of: element, count: count, from: 0, isInline: true)
    }

    /// Reads some elements, many of them with one copy. `body` receives the position and the element, or
    /// nil if it can't be read. It returns false to stop.
    package func forEach(in range: Range<Int>, _ body: (Int, ValueView?) -> Bool) {
        let range = range.clamped(to: 0..<count)
        if isInline {
            for index in range
            where !body(index, view.part(at: index &* stride, type: element)) { return }
            return
        }
        let size = TypeMetadata(element).size
        let chunk = max(1, 65_536 / stride)
        var position = range.lowerBound
        while position < range.upperBound {
            let end = min(range.upperBound, position + chunk)
            let block = MemoryBlock(
                reading: first &+ UInt(bitPattern: position &* stride),
                count: (end - position - 1) &* stride &+ size, in: view.source)
            for index in position..<end {
                let part = block.map {
                    ValueView(
                        block: $0, offset: (index - position) &* stride, type: element,
                        isStable: view.isStable)
                }
                guard body(index, part) else { return }
            }
            position = end
        }
    }

    /// Returns one element; nil if there is none, or if it can't be read.
    package func element(at index: Int) -> ValueView? {
        guard index >= 0, index < count else { return nil }
        var found: ValueView?
        forEach(in: index..<index + 1) { _, view in
            found = view
            return false
        }
        return found
    }
}
#endif
