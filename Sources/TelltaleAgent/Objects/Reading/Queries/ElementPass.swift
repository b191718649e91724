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
        fileprivate let values: TreeValues
        fileprivate let fields: [TreeValues.Field]
        fileprivate let element: Int
        fileprivate let clock: Clock

        func value(_ number: Int) throws(ExpressionFailure) -> ExpressionValue {
            let value = try values.value(of: fields[number], at: element)
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
        let positions = elements.isHashed ? positions.ascending : positions
        var looked = Looked()
        while looked.count < positions.count, !isLate {
            let next = looked.count
            let part = positions.part(next..<min(positions.count, next + Self.page))
            let session = reading()
            defer { finish(session) }
            let way = SessionWalk(session)
            guard let tree = tree(of: part, by: way), !session.needsMore,
                let values = TreeValues(tree, keyType: elements.keyType)
            else { break }
            let known = fields.map(values.field)
            var whole = values.elements.count
            // The last element may be incomplete. The next page starts with it, unless it fills a page of its
            // own.
            if way.isLate || way.isFull && whole > 1 { whole -= 1 }
            for (index, element) in values.elements.prefix(max(0, whole)).enumerated() {
                guard let position = part[index] else { break }
                looked.count += 1
                let one = Values(values: values, fields: known, element: element, clock: clock)
                guard try body(position, one), !clock.isDue || !isLate else { return looked }
            }
            if !way.isLate, whole <= 0 { looked.isFull = true }
            if way.isLate || whole <= 0 { break }
        }
        return looked
    }

    private func tree(of part: ChosenElements.Positions, by way: SessionWalk) -> ReadTree? {
        switch elements {
        case .ordered(let storage, let type, _):
            let wanted = fields.map { field in field.prefix { $0.isProperty }.map(\.name) }
            let chosen = ChosenElements(storage: storage, type: type, positions: part)
            return way.tree(of: chosen, count: part.count, fields: wanted)
        case .hashed(let storage, let type):
            return way.tree(of: storage, type, most: part.count, where: part.membership())
        }
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
        limits.isBrief = false
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
#endif
