#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// One pass over elements of a collection, that reads some properties of each and nothing else.
///
/// What it hands on is what would be shown: a secret is as masked here as everywhere.
struct ElementPass {
    let elements: CollectionElements
    let fields: [[ValuePath.Component]]
    let walk: PathWalk
    let usesPlans: Bool

    /// The values of an element's fields, by their numbers.
    enum Values {
        case tree(TreeValues, [TreeValues.Field], element: Int)
        case node(ValueNode, [[ValuePath.Component]], isEntry: Bool)

        func value(_ number: Int) throws(ExpressionFailure) -> ExpressionValue {
            switch self {
            case .tree(let values, let fields, let element):
                try values.value(of: fields[number], at: element)
            case .node(let node, let fields, let isEntry):
                try node.entryValue(at: fields[number], isEntry: isEntry)
            }
        }
    }

    /// How many are read at once: a page of three properties each is a megabyte.
    private static let page = 4096
    /// A list in an element is read so far where a field goes into it.
    private static let mostInner = 1000

    /// Calls a body with each of some elements, as they lie; false ends it. How many were looked at: fewer
    /// than there are where the time was over.
    func forEach(
        _ positions: ChosenElements.Positions, _ body: (Int, Values) throws(CommandFailure) -> Bool
    ) throws(CommandFailure) -> Int {
        switch elements {
        case .ordered(let storage, let type, _):
            return try ordered(storage, type, positions, body)
        case .hashed(let storage, _): return try hashed(storage, positions, body)
        }
    }

    // MARK: Ordered

    private func ordered(
        _ storage: ArrayStorage, _ type: Any.Type, _ positions: ChosenElements.Positions,
        _ body: (Int, Values) throws(CommandFailure) -> Bool
    ) throws(CommandFailure) -> Int {
        var looked = 0
        while looked < positions.count, !isLate {
            let part = positions.part(looked..<min(positions.count, looked + Self.page))
            let session = reading()
            defer { finish(session) }
            let wanted = fields.map { field in field.prefix { $0.isProperty }.map(\.name) }
            let chosen = ChosenElements(storage: storage, type: type, positions: part)
            guard usesPlans, !session.isPlain, storage.start != nil,
                let tree = SessionWalk(session)?.tree(
                    of: chosen, count: part.count, fields: wanted),
                let values = TreeValues(tree)
            else {
                looked += try slowly(storage, part, session, body)
                if session.stop != nil { break }
                continue
            }
            let known = fields.map(values.field)
            for (index, element) in values.elements.enumerated() {
                guard let position = part[index] else { break }
                looked += 1
                let goesOn = try body(position, .tree(values, known, element: element))
                guard goesOn, looked % 64 != 0 || !isLate else { return looked }
            }
            if values.elements.count < part.count { break }
        }
        return looked
    }

    private func slowly(
        _ storage: ArrayStorage, _ positions: ChosenElements.Positions, _ session: ReadSession,
        _ body: (Int, Values) throws(CommandFailure) -> Bool
    ) throws(CommandFailure) -> Int {
        let maker = NodeMaker(session: session)
        var looked = 0
        for position in positions.all {
            guard session.stop == nil else { break }
            let label = "[\(position)]"
            let node =
                storage.element(at: position).map { maker.node(of: $0, label: label, level: 1) }
                ?? maker.unavailable(storage.element, label, NodeMaker.changing)
            looked += 1
            let goesOn = try body(position, .node(node, fields, isEntry: false))
            if session.needsMore || !goesOn { break }
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
        var wanted: Set<Int>?
        if case .list(let list) = positions { wanted = Set(list) }
        let secrets = maker.secretsByPair(in: storage)
        var looked = 0
        var failure: CommandFailure?
        storage.forEach(until: { session.stop != nil }) { position, keyView, value in
            guard wanted?.contains(position) != false else { return true }
            looked += 1
            let node: ValueNode
            if let type = storage.value {
                node = maker.entry(
                    DictionaryKey(keyView, maker: maker), type: type, value: value, level: 1,
                    isSecret: secrets.contains(position))
            } else {
                node = maker.node(of: keyView, label: nil, level: 1)
            }
            session.spent = 0
            do throws(CommandFailure) {
                return try body(position, .node(node, fields, isEntry: storage.value != nil))
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

    /// A session of its own: what is read to be compared is no part of the answer.
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
    /// The value of a dictionary's entry, of which `key` is the key and `value` the whole value.
    fileprivate func entryValue(
        at steps: [ValuePath.Component], isEntry: Bool
    ) throws(ExpressionFailure) -> ExpressionValue {
        guard isEntry, case .property(let name)? = steps.first else { return try value(at: steps) }
        if name == "value" { return try value(at: Array(steps.dropFirst())) }
        guard name == "key" else { return try value(at: steps) }
        guard steps.count == 1, let label, label.hasPrefix("["), label.hasSuffix("]") else {
            throw ExpressionFailure(.notFound, "a key has no \(steps.last?.description ?? "part")")
        }
        let text = String(label.dropFirst().dropLast())
        return text.hasPrefix(".") ? ExpressionValue(enumCase: text) : ExpressionValue(scalar: text)
    }
}
#endif
