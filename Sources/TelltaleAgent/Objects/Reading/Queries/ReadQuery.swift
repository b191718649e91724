#if TELLTALE_AGENT
import TelltaleProtocol

/// A query at the end of a path, instead of the whole value there.
indirect enum ReadQuery: Sendable {
    /// The clauses applied to a collection, and the components that follow them.
    case collection([CollectionClause], then: [ValuePath.Component])
    /// Several values below the same root, read in one access of its owner, as the parts of a tuple.
    case several([Part])

    struct Part: Sendable {
        let path: [ValuePath.Component]
        let query: ReadQuery?
    }

    /// True if parts of the values that were read are taken out of them.
    var readsParts: Bool {
        switch self {
        case .collection(_, then: let steps): !steps.isEmpty
        case .several: true
        }
    }

    /// Runs the query.
    ///
    /// - Throws: The errors of ``ValueReader/read(_:rootName:path:in:)``; `.denied` if a secret would have to
    ///   be compared.
    func content(
        at place: PathWalk.Place, from root: PathWalk.Place, in walk: PathWalk
    ) throws(CommandFailure) -> ValueContent {
        switch self {
        case .collection(let clauses, let steps):
            let outcome = try CollectionReading(place, in: walk).outcome(of: clauses)
            switch outcome {
            case .content(let content):
                guard !steps.isEmpty else { return content }
                guard let part = content.node.part(at: steps) else {
                    let way = steps.map(\.description).joined(separator: ".")
                    throw CommandFailure(
                        .notFound, "what is computed of \(walk.session.renderedPath) has no \(way)")
                }
                return .node(part)
            case .place(var place):
                for step in steps { place = try walk.step(from: place, to: step) }
                return walk.content(at: place)
            }
        case .several(let parts):
            var node = ValueNode(type: "", kind: .tuple)
            for part in parts {
                walk.session.path = []
                do throws(CommandFailure) {
                    let place = try walk.go(from: root, along: part.path)
                    let content =
                        try part.query?.content(at: place, from: root, in: walk)
                        ?? .node(walk.node(at: place))
                    node.children.append(content.node)
                } catch {
                    // The value may not be needed: `a != nil && a.size > 3`.
                    let kind: ValueNode.Kind = error.code == .denied ? .masked : .unavailable
                    node.children.append(ValueNode(type: "", kind: kind, note: error.message))
                }
            }
            return .node(node)
        }
    }
}
#endif
