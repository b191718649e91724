#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

/// The continuation of a path after a range of elements: `items[1...2].title` are their titles,
/// `items[0..<9].max` is one of them.
extension PathWalk {
    /// A part of a range of elements: its count, one element, a smaller range, or the result of a clause.
    func part(
        of range: Range<Int>, _ storage: ArrayStorage, _ type: Any.Type,
        _ component: ValuePath.Component
    ) throws(CommandFailure) -> Place {
        switch component {
        case .property("count"), .property("isEmpty"): return count(range.count, component)
        case .property("first") where !range.isEmpty:
            return try element(of: storage, type: type, .index(range.lowerBound))
        case .property("last") where !range.isEmpty:
            return try element(of: storage, type: type, .index(range.upperBound - 1))
        case .index(let index) where range.contains(index):
            return try element(of: storage, type: type, component)
        case .range(let inner)
        where inner.lowerBound >= range.lowerBound && inner.upperBound <= range.upperBound:
            return .elements(inner, storage, type)
        case .property(let name):
            guard let clause = CollectionClause(member: name) else { break }
            return try clausePlace(clause, of: .elements(range, storage, type))
        default: break
        }
        throw CommandFailure(
            .notFound, "there is no \(component) in these elements of \(session.renderedPath)",
            hint: range.isEmpty
                ? "the range has none"
                : "they are [\(range.lowerBound)] to [\(range.upperBound - 1)]")
    }

    /// The result of `max`, `min` or `sum` for a collection.
    func clausePlace(
        _ clause: CollectionClause, of place: Place
    ) throws(CommandFailure) -> Place {
        let outcome = try CollectionReading(place, in: self).outcome(of: [clause])
        switch outcome {
        case .place(let place): return place
        case .content(let content): return .made(content.node)
        }
    }

    /// The values at the end of a path below each of a range of elements; the node of an element without such
    /// a value has the reason.
    ///
    /// - Throws: The first error, if no element, or none of the first ``mostFailures``, has such a value.
    func each(
        _ range: Range<Int>, of storage: ArrayStorage, along path: ArraySlice<ValuePath.Component>
    ) throws(CommandFailure) -> ValueNode {
        let base = session.path
        defer { session.path = base }
        if session.isSecret(storage.element) { throw secret() }
        var node = ValueNode(type: "", kind: .array, count: range.count)
        var failure: CommandFailure?
        var reached = 0
        for position in range.prefix(ReadLimits.longestRange) where session.stop == nil {
            session.path = base
            var child: ValueNode
            do throws(CommandFailure) {
                guard let view = storage.element(at: position) else { throw notRead() }
                session.push(.index(position))
                child = self.node(
                    at: try go(from: .spot(Spot(view: view, field: nil)), along: path))
                reached += 1
            } catch {
                guard error.code != .denied else { throw error }
                if failure == nil { failure = error }
                // The elements mostly fail for the same reason, and finding a reason takes longer than
                // reading a value.
                guard reached > 0 || node.children.count < Self.mostFailures else { throw error }
                session.spend(error.message.utf8.count)
                child = ValueNode(type: "", kind: .unavailable, note: error.message)
            }
            child.label = "[\(position)]"
            node.children.append(child)
        }
        if reached == 0, let failure { throw failure }
        let types = Set(node.children.map(\.type).filter { !$0.isEmpty })
        node.type = "[\(types.count == 1 ? types.first ?? "Any" : "Any")]"
        session.cut(&node, of: range.count)
        return node
    }

    private static let mostFailures = 256

    /// Returns the place at the end of the rest of a path.
    func go(
        from start: Place, along path: ArraySlice<ValuePath.Component>
    ) throws(CommandFailure) -> Place {
        var place = start
        for (index, component) in zip(path.indices, path) {
            if case .elements(let range, let storage, _) = place, !component.isOfSlice {
                return .made(try each(range, of: storage, along: path[index...]))
            }
            place = try step(from: place, to: component)
        }
        return place
    }
}

extension ValuePath.Component {
    /// True if the component applies to a range of elements as a whole, not to each of them.
    var isOfSlice: Bool {
        guard case .property(let name) = self else { return true }
        return CollectionClause(member: name) != nil
    }
}
#endif
