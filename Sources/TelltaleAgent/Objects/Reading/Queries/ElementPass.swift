#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem
import TelltaleValues

/// One pass over elements of a collection that reads only some properties of each.
///
/// It passes on only what would be shown: secrets are masked here as in every read.
struct ElementPass {
    let elements: CollectionElements
    let fields: [[ValuePath.Component]]
    let walk: PathWalk
    private let clock = Clock()

    /// The values of an element's fields, by field number.
    struct Values {
        fileprivate enum Element {
            case tree(TreeValues, [TreeValues.Field], element: Int)
            case node(ValueNode, [[ValuePath.Component]], keyType: String?)
        }
        fileprivate let element: Element
        fileprivate let clock: Clock

        func value(_ number: Int) throws(ExpressionFailure) -> ExpressionValue {
            let value =
                switch element {
                case .tree(let values, let fields, let element):
                    try values.value(of: fields[number], at: element)
                case .node(let node, let fields, let keyType):
                    try node.entryValue(at: fields[number], keyType: keyType)
                }
            if let text = value.text { clock.bytes += text.utf8.count }
            return value
        }
    }

    /// Decides when the deadline is checked again: the time an element takes grows with its texts.
    fileprivate final class Clock {
        /// The number of bytes of texts compared since the last check.
        var bytes = 0
        private var elements = 0

        /// True if a check is due, after one more element.
        var isDue: Bool {
            elements += 1
            guard elements >= 64 || bytes >= 256 << 10 else { return false }
            elements = 0
            bytes = 0
            return true
        }
    }

    init(elements: CollectionElements, fields: [[ValuePath.Component]], walk: PathWalk) {
        self.elements = elements
        self.fields = fields
        self.walk = walk
    }

    /// The number of elements read at once: a page of three properties each takes a megabyte.
    private static let page = 4096
    /// The maximum number of elements read of a list inside an element, if a field leads into the list.
    private static let mostInner = 1000

    /// The number of examined elements. It is smaller than the number of elements after the deadline, or
    /// (`isFull`) if a single element exceeds the size limit of an answer.
    struct Looked {
        var count = 0
        var isFull = false
    }

    /// Calls a body with each of some elements, in storage order, until the body returns false.
    func forEach(
        _ positions: ChosenElements.Positions, _ body: (Int, Values) throws(CommandFailure) -> Bool
    ) throws(CommandFailure) -> Looked {
        switch elements {
        case .ordered(let storage, let type, _):
            return try ordered(storage, type, positions, body)
        case .hashed(let storage, _):
            return Looked(count: try hashed(storage, positions, body))
        }
    }

    // MARK: Ordered

    private func ordered(
        _ storage: ArrayStorage, _ type: Any.Type, _ positions: ChosenElements.Positions,
        _ body: (Int, Values) throws(CommandFailure) -> Bool
    ) throws(CommandFailure) -> Looked {
        var looked = Looked()
        while looked.count < positions.count, !isLate {
            let next = looked.count
            let part = positions.part(next..<min(positions.count, next + Self.page))
            let session = reading()
            defer { finish(session) }
            let wanted = fields.map { field in field.prefix { $0.isProperty }.map(\.name) }
            let chosen = ChosenElements(storage: storage, type: type, positions: part)
            let way = SessionWalk(session)
            guard let tree = way.tree(of: chosen, count: part.count, fields: wanted),
                !session.needsMore, let values = TreeValues(tree)
            else { break }
            let known = fields.map(values.field)
            var whole = values.elements.count
            // The last element may be incomplete. The next page starts with it, unless it fills a page of its
            // own.
            if way.isLate || way.isFull && whole > 1 { whole -= 1 }
            for (index, element) in values.elements.prefix(max(0, whole)).enumerated() {
                guard let position = part[index] else { break }
                looked.count += 1
                let one = Values(
                    element: .tree(values, known, element: element), clock: clock)
                guard try body(position, one), !clock.isDue || !isLate else { return looked }
            }
            if !way.isLate, whole <= 0 { looked.isFull = true }
            if way.isLate || whole <= 0 { break }
        }
        return looked
    }

    // MARK: Hashed

    private func hashed(
        _ storage: HashStorage, _ positions: ChosenElements.Positions,
        _ body: (Int, Values) throws(CommandFailure) -> Bool
    ) throws(CommandFailure) -> Int {
        let session = reading()
        defer { finish(session) }
        let maker = NodeMaker(session: session)
        // The storage yields all its elements in storage order, including unwanted ones.
        let wanted = positions.membership()
        let secrets = maker.secretsByPair(in: storage)
        let keyType = storage.value.map { _ in TypeNames.name(of: storage.key) }
        var looked = 0
        var failure: CommandFailure?
        storage.forEach(until: { session.stop != nil }) { position, keyView, value in
            guard looked < positions.count else { return false }
            guard wanted(position) else { return true }
            looked += 1
            let node = maker.entry(
                at: position, of: storage, keyView, value, level: 1,
                isSecret: secrets.contains(position))
            session.spent = 0
            do throws(CommandFailure) {
                let one = Values(
                    element: .node(node, fields, keyType: keyType), clock: clock)
                return try body(position, one) && (!clock.isDue || !isLate)
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        return looked
    }

    // MARK: Bounds

    private var isLate: Bool {
        walk.session.spend(0)
        return walk.session.limits.deadline <= .now || walk.session.stop != nil
    }

    /// A separate session, because values read to be compared are not part of the answer.
    private func reading() -> ReadSession {
        var limits = walk.session.limits
        limits.depth = 1 + (fields.map(\.count).max() ?? 0)
        let goesInto = fields.contains { field in field.contains { $0.goesIntoList } }
        limits.elements = goesInto ? Self.mostInner : 0
        limits.repeats = true
        return ReadSession(
            limits: limits, masks: walk.session.masks, handles: nil,
            rootName: walk.session.rootName, isPlain: walk.session.isPlain,
            source: walk.session.source)
    }

    private func finish(_ session: ReadSession) {
        if session.needsMore { walk.session.needsMore = true }
        session.endTurns()
    }
}

extension ValuePath.Component {
    fileprivate var isProperty: Bool { propertyName != nil }
    fileprivate var name: String { propertyName ?? "" }

    fileprivate var goesIntoList: Bool {
        switch self {
        case .property("first"), .property("last"), .index, .key: true
        default: false
        }
    }
}

extension ValueNode {
    /// The value of a field of a dictionary's entry, where `key` is the key and `value` the whole value.
    fileprivate func entryValue(
        at steps: [ValuePath.Component], keyType: String?
    ) throws(ExpressionFailure) -> ExpressionValue {
        guard let keyType, case .property(let name)? = steps.first else {
            return try value(at: steps)
        }
        if name == "value" { return try value(at: Array(steps.dropFirst())) }
        guard name == "key" else { return try value(at: steps) }
        guard steps.count == 1, let label, label.hasPrefix("["), label.hasSuffix("]") else {
            throw ExpressionFailure(.notFound, "a key has no \(steps.last?.description ?? "part")")
        }
        let text = String(label.dropFirst().dropLast())
        return text.hasPrefix(".")
            ? ExpressionValue(enumCase: text)
            : ExpressionValue(scalar: text, type: keyType)
    }
}
#endif
