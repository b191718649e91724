#if TELLTALE_AGENT
import TelltaleSystem

/// The pending elements of an `AsyncStream`: a ring buffer in one object.
///
/// Layout checked against swift-6.3.1 (`_Deque` of `_Concurrency`): the object's header is followed by the
/// capacity, the count and the index of the first element, then by the elements. Tested once on a stream of
/// our own.
package struct DequeStorage {
    package let count: Int
    private let element: Any.Type
    private let capacity: Int
    private let first: Int
    private let start: UInt
    private let view: ValueView

    private static let header: UInt = 40
    /// The largest plausible capacity.
    private static let most = 1 << 32

    package init?(_ view: ValueView, element: Any.Type) {
        guard let object = view.word(), object > 0xFFFF, object & 7 == 0,
            let header = MemoryBlock(reading: object, count: 40, in: view.source),
            let capacity = header.load(Int.self, at: 16), let count = header.load(Int.self, at: 24),
            let first = header.load(Int.self, at: 32), capacity >= 0, capacity < Self.most,
            count >= 0, count <= capacity, first >= 0, first <= capacity
        else { return nil }
        self.view = view
        self.element = element
        self.capacity = capacity
        self.count = count
        self.first = first
        start = object &+ TypeMetadata(element).offset(behind: Self.header)
    }

    /// Returns an element by its position in the order of consumption; nil if it can't be read.
    package func element(at index: Int) -> ValueView? {
        guard index >= 0, index < count else { return nil }
        let slot = (first + index) % capacity
        let distance = slot &* TypeMetadata(element).stride
        return ValueView(
            of: element, at: start &+ UInt(bitPattern: distance), in: view.source,
            isStable: view.isStable)
    }

    private struct Sample { let stream: AsyncStream<Int> }

    /// True if the layout is as expected in this process.
    package static let isKnown: Bool = {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        for number in [31, 47, 59] { continuation.yield(number) }
        let sample = Sample(stream: stream)
        return withUnsafePointer(to: sample) { pointer in
            var place = ValueView(ofOwn: Sample.self, at: pointer)
            for name in ["stream", "context", "storage", "state", "pending", "_storage"] {
                place = place?.stored(name)
            }
            guard let place, let deque = DequeStorage(place, element: Int.self) else {
                return false
            }
            return (0..<deque.count).map { deque.element(at: $0)?.load(Int.self) } == [31, 47, 59]
        }
    }()
}

extension ValueView {
    /// Returns a stored property of a struct, or of the object that a reference refers to. An optional is
    /// unwrapped if it is not nil.
    package func stored(_ name: String) -> ValueView? {
        var base = self
        if case .optional(let wrapped) = TypeShape.of(type) {
            guard isSome == true else { return nil }
            base = part(type: wrapped)
        }
        if TypeMetadata(base.type).kind == .classType {
            guard let address = base.word(),
                let type = MetadataCheck.classOfObject(at: address, in: source),
                let object = MemoryBlock(
                    reading: address, count: TypeMetadata(type).instanceSize, in: source,
                    isObject: true)
            else { return nil }
            base = ValueView(block: object, offset: 0, type: type, isStable: isStable)
        }
        guard let field = FieldCache.fields(of: base.type).first(where: { $0.name == name }),
            field.ownership == .strong, !field.isNoncopyable
        else { return nil }
        return base.part(at: field.offset, type: field.type)
    }
}
#endif
