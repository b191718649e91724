#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

/// The elements of a collection, in the form that queries use.
enum CollectionElements {
    /// The elements of an array or of a range of one.
    case ordered(ArrayStorage, type: Any.Type, range: Range<Int>)
    /// The elements of a set or a dictionary; a position is an index in storage order.
    case hashed(HashStorage, type: Any.Type)

    /// The elements of the collection at a place.
    ///
    /// - Throws: `.notFound` if the value is not a collection, `.denied` if it is a secret.
    init(
        at place: PathWalk.Place, in walk: PathWalk
    ) throws(CommandFailure) {
        let settled = try walk.settle(place)
        switch settled {
        case .elements(let range, let storage, let type):
            self = .ordered(storage, type: type, range: range)
        case .spot(let spot):
            let session = walk.session
            switch TypeShape.of(spot.view.type) {
            case .array(let element), .slice(let element), .inlineArray(_, let element):
                if session.isSecret(element) { throw walk.secret() }
                guard let storage = NodeMaker.array(spot.view) else { throw walk.notRead() }
                self = .ordered(storage, type: spot.view.type, range: 0..<storage.count)
            case .set, .dictionary:
                guard let storage = NodeMaker.table(spot.view) else { throw walk.notRead() }
                self = .hashed(storage, type: spot.view.type)
            default: throw Self.none(walk, TypeNames.name(of: spot.view.type))
            }
        case .masked: throw walk.secret()
        case .made(let node):
            throw CommandFailure(
                .unsupported,
                "\(walk.session.renderedPath) is made for this answer and is not a stored collection: "
                    + node.type.escaped,
                hint: "of a dictionary itself, `where` knows `key` and the properties of the values"
            )
        case .object(_, let type): throw Self.none(walk, TypeNames.name(of: type))
        case .property(let planned, _):
            throw Self.none(walk, TypeNames.name(of: planned.field.type))
        }
    }

    private static func none(_ walk: PathWalk, _ type: String) -> CommandFailure {
        CommandFailure(
            .notFound, "\(walk.session.renderedPath) is not a collection: it is a \(type)",
            hint:
                "`where`, `sorted by`, `first`, `max` and others are for arrays, sets and dictionaries"
        )
    }

    var count: Int {
        switch self {
        case .ordered(_, _, let range): range.count
        case .hashed(let storage, _): storage.count
        }
    }

    /// True for a set or a dictionary, whose storage has an order of its own.
    var isHashed: Bool { if case .hashed = self { true } else { false } }

    /// The type name of a dictionary's keys.
    var keyType: String? {
        guard case .hashed(let storage, _) = self, storage.value != nil else { return nil }
        return TypeNames.name(of: storage.key)
    }

    /// The positions of all elements.
    var positions: ChosenElements.Positions {
        switch self {
        case .ordered(_, _, let range): .range(range)
        case .hashed(let storage, _): .range(0..<storage.count)
        }
    }

    /// The declared type of an element, or of a dictionary's value.
    var element: Any.Type {
        switch self {
        case .ordered(let storage, _, _): storage.element
        case .hashed(let storage, _): storage.value ?? storage.key
        }
    }

    var type: Any.Type {
        switch self {
        case .ordered(_, let type, _), .hashed(_, let type): type
        }
    }
}
#endif
