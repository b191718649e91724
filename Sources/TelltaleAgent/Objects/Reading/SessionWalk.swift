#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem
import TelltaleValues

/// The part of a read that follows plans, and the reading of nodes for what a plan can't express.
///
/// Not thread-safe: it belongs to one read.
final class SessionWalk: TreeWalkReader {
    private let session: ReadSession
    private let maker: NodeMaker
    private let making: PlanMaking
    private let basePath: [ValuePath.Component]
    private let walk: TreeWalk

    /// Starts a walk at the end of the session's path.
    init(_ session: ReadSession) {
        let limits = session.limits
        let bounds = TreeWalk.Bounds(
            depth: limits.depth, elements: limits.elements, bytes: limits.bytes,
            stringBytes: limits.stringBytes, deadline: limits.deadline,
            masks: session.masks.isActive, givesHandles: session.givesHandles,
            repeats: limits.repeats)
        walk = TreeWalk(
            pool: session.masks.plans, bounds: bounds, source: session.source,
            steps: session.path.count, path: EncodedPath.bytes(of: session.path))
        self.session = session
        maker = NodeMaker(session: session)
        making = PlanMaking(session: session)
        basePath = session.path
    }

    /// The value at a place; `nil` for a value that no plan describes.
    func tree(at place: PathWalk.Place) -> ReadTree? {
        session.walk = self
        defer { session.walk = nil }
        let isLate = session.stop == "deadline"
        return walk.tree(by: self, spent: session.spent, isLate: isLate) { walk in
            switch place {
            case .spot(let spot) where spot.field?.isLazy != true: walk.add(spot.view)
            case .object(let address, _): walk.add(objectAt: address)
            case .elements(let range, let storage, let type):
                walk.add(range, most: ReadLimits.longestRange, of: storage, type)
            default: false
            }
        }
    }

    /// The selected elements of an array, as an array of `count`. With `fields`, only these properties of
    /// each element. `nil` if no plan describes them.
    func tree(
        of elements: ChosenElements, count: Int, fields: [[String]]?, note: String? = nil,
        cut: ValueNode.Cut? = nil
    ) -> ReadTree? {
        session.walk = self
        defer { session.walk = nil }
        let isLate = session.stop == "deadline"
        return walk.tree(by: self, spent: session.spent, isLate: isLate) { walk in
            func add() -> Bool {
                switch elements.positions {
                case .range(let range):
                    walk.add(range, most: range.count, of: elements.storage, elements.type)
                case .list(let list):
                    walk.add(list, of: count, in: elements.storage, elements.type)
                }
            }
            let isDone = fields.map { walk.wanting($0, add) } ?? add()
            if let note { walk.remark(note) }
            if let cut { walk.cut(cut) }
            return isDone
        }
    }

    /// True if the walk ended at the deadline: the value read last may be incomplete.
    var isLate: Bool { walk.isLate }
    /// True if the walk ended at the size limit.
    var isFull: Bool { walk.spent >= session.limits.bytes }

    // MARK: Calls from the session

    func known(_ address: UInt) -> Int?? { walk.known(address) }

    func shows(_ address: UInt, _ handle: Int?) { walk.shows(address, handle) }

    /// A provisional handle, which the tree records.
    func handle(of address: UInt, typeName: String) -> Int? {
        walk.handle(of: address, typeName: typeName, path: EncodedPath.bytes(of: session.path))
    }

    // MARK: Callbacks of the walk

    func shape(of type: Any.Type) -> PlanShape { making.shape(of: type) }

    func value(_ view: ValueView?, _ type: Any.Type, label: String?, level: Int) -> ValueNode {
        inSession {
            guard let view else { return maker.unavailable(type, label, NodeMaker.changing) }
            return maker.node(of: view, label: label, level: level)
        }
    }

    func part(_ index: Int, of type: Any.Type, in view: ValueView?, level: Int) -> ValueNode {
        inSession {
            let planned = session.plan(of: type)[index]
            guard let view else {
                return maker.unavailable(
                    planned.field.type, planned.field.shownName, NodeMaker.changing)
            }
            return maker.child(planned, of: view, level: level)
        }
    }

    /// Runs a body with the session in the state it would have if Swift had walked to this place.
    private func inSession(_ body: () -> ValueNode) -> ValueNode {
        session.spent = walk.spent
        session.path =
            basePath
            + walk.path.map { step in
                switch step {
                case .position(let index): .index(index)
                case .property(let name): .property(name)
                }
            }
        defer {
            session.path = basePath
            walk.spent = session.spent
            if session.stop == "deadline" { walk.isLate = true }
        }
        return body()
    }
}
#endif
