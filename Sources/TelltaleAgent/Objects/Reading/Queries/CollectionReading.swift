#if TELLTALE_AGENT
import TelltaleProtocol

/// The evaluation of clauses on a collection: `where size > 3400 sorted by size first 5`.
///
/// It runs in one access of the collection's owner, so the values shown are the values compared.
struct CollectionReading {
    let elements: CollectionElements
    private let walk: PathWalk
    /// The path of the collection, restored before an element is appended to it.
    private let path: [ValuePath.Component]
    private let place: PathWalk.Place

    enum Outcome {
        case place(PathWalk.Place)
        case content(ValueContent)
    }

    init(_ place: PathWalk.Place, in walk: PathWalk) throws(CommandFailure) {
        elements = try CollectionElements(at: place, in: walk)
        self.walk = walk
        self.place = place
        path = walk.session.path
    }

    func outcome(of clauses: [CollectionClause]) throws(CommandFailure) -> Outcome {
        var chosen = Chosen(positions: elements.positions)
        for clause in clauses {
            switch clause {
            case .matching(let condition): try keep(condition, &chosen)
            case .sorted(let field, let isDescending): try sort(field, isDescending, &chosen)
            case .first(let count?): chosen.positions = chosen.positions.part(0..<max(0, count))
            case .last(let count?):
                let all = chosen.positions.count
                chosen.positions = chosen.positions.part(max(0, all - max(0, count))..<all)
            case .first(nil): return try element(0, chosen)
            case .last(nil): return try element(chosen.positions.count - 1, chosen)
            case .element(let index): return try element(index, chosen)
            case .count:
                // The count itself is the result.
                chosen.tallies = []
                return try made(.integer(Int128(chosen.positions.count)), chosen)
            case .isEmpty: return try made(.bool(chosen.positions.count == 0), chosen)
            case .sum(let field): return try sum(field, chosen)
            case .least(let field): return try extreme(field, .less, chosen)
            case .greatest(let field): return try extreme(field, .greater, chosen)
            }
        }
        return .content(try list(chosen))
    }

    /// The elements left after the clauses so far, with the notes for the answer.
    private struct Chosen {
        var positions: ChosenElements.Positions
        var notes: [String] = []
        /// The result of each condition: `3 of 12`.
        var tallies: [String] = []
        /// The number of elements that were not examined, because of the deadline or their size.
        var unseen = 0
        var isFull = false
        var reason: String { isFull ? "for their size" : "before the deadline" }
    }

    // MARK: Passes

    /// Calls a body with the given properties of each element, and notes the elements for which the body
    /// fails.
    private func pass(
        _ fields: [[ValuePath.Component]], _ chosen: inout Chosen,
        _ body: (Int, ElementPass.Values) throws(ExpressionFailure) -> Bool
    ) throws(CommandFailure) {
        var failed = ElementFailures()
        let pass = ElementPass(elements: elements, fields: fields, walk: walk)
        let all = chosen.positions.count
        var isEnded = false
        let looked = try pass.forEach(chosen.positions) { position, values throws(CommandFailure) in
            do throws(ExpressionFailure) {
                isEnded = !(try body(position, values))
                return !isEnded
            } catch {
                try failed.add(error, in: walk.session.renderedPath)
                return true
            }
        }
        if walk.session.needsMore { throw walk.notRead() }
        try failed.check(looked: looked.count, in: walk.session.renderedPath) { near(fields) }
        chosen.notes += failed.notes
        if looked.count < all, !isEnded {
            chosen.unseen += all - looked.count
            chosen.isFull = looked.isFull
        }
    }

    /// The question for the first property that the elements' type doesn't have, if another name is near.
    private func near(_ fields: [[ValuePath.Component]]) -> String? {
        let names = walk.session.names(of: elements.element)
        for case .property(let name)? in fields.map(\.first) where !names.contains(name) {
            if let question = NearestNames.question(name, among: names) { return question }
        }
        return nil
    }

    private func keep(
        _ condition: ValueExpression, _ chosen: inout Chosen
    ) throws(CommandFailure) {
        let fields = condition.leaves.map(\.path.fieldSteps)
        var kept: [Int] = []
        let all = chosen.positions
        try pass(fields, &chosen) { position, values throws(ExpressionFailure) in
            let holds = try condition.holds { number throws(ExpressionFailure) in
                try values.value(number)
            }
            if holds { kept.append(position) }
            return true
        }
        chosen.tallies.insert(
            "\(Quantity.count(kept.count)) of \(Quantity.count(all.count))", at: 0)
        chosen.positions = .list(elements.inOrder(kept, as: all))
    }

    private func sort(
        _ field: [ValuePath.Component], _ isDescending: Bool, _ chosen: inout Chosen
    ) throws(CommandFailure) {
        let path = walk.session.renderedPath
        try SortedElements.check(chosen.positions.count, SortedElements.most, in: path)
        var sorted = SortedElements()
        // Elements with equal keys keep the order that an earlier clause gave them.
        let earlier = chosen.positions
        let rank = earlier.rank()
        try pass([field], &chosen) { position, values throws(ExpressionFailure) in
            try sorted.add(try values.value(0), at: rank(position))
        }
        let limit = walk.session.limits.deadline
        let ranks = try sorted.positions(isDescending: isDescending, in: path, until: limit)
        chosen.positions = .list(ranks.compactMap { earlier[$0] })
    }

    private func sum(
        _ field: [ValuePath.Component], _ chosen: Chosen
    ) throws(CommandFailure) -> Outcome {
        var chosen = chosen
        var sum: ExpressionValue?
        var overflow: ExpressionFailure?
        try pass([field], &chosen) { _, values throws(ExpressionFailure) in
            let value = try values.value(0)
            guard value.canBeAdded else {
                throw ExpressionFailure(.wrongType, "\(value.kind) can't be added up")
            }
            do throws(ExpressionFailure) {
                sum = try sum?.adding(value) ?? value
            } catch {
                overflow = error
                return false
            }
            return true
        }
        if let overflow { throw CommandFailure(overflow.code, overflow.message) }
        return try made(sum ?? .integer(0), chosen)
    }

    /// The smallest or the largest element's value, at its place in the collection.
    private func extreme(
        _ field: [ValuePath.Component], _ wanted: ExtremeOrder, _ chosen: Chosen
    ) throws(CommandFailure) -> Outcome {
        var chosen = chosen
        var found: (value: ExpressionValue, position: Int)?
        try pass([field], &chosen) { position, values throws(ExpressionFailure) in
            let value = try values.value(0)
            _ = try value.isBefore(value)
            if value.isNaN { throw ExpressionFailure(.wrongType, "nan has no order") }
            guard let best = found else {
                found = (value, position)
                return true
            }
            let isBetter =
                wanted == .less
                ? try value.isBefore(best.value) : try best.value.isBefore(value)
            if isBetter { found = (value, position) }
            return true
        }
        try checkSeen(chosen)
        guard let found else { throw nothing("no element to compare") }
        // A key has no place that a path can name: the result is the compared value.
        if elements.isKey(field) { return try made(found.value, chosen) }
        var place = try self.place(of: found.position)
        let isWhole = field.first.map(elements.isWhole) ?? false
        for step in field.dropFirst(isWhole ? 1 : 0) {
            place = try walk.step(from: place, to: step)
        }
        return .place(place)
    }

    private enum ExtremeOrder { case less, greater }

    // MARK: Outcomes

    /// Refuses a single result for all elements if not all of them were examined.
    private func checkSeen(_ chosen: Chosen) throws(CommandFailure) {
        guard chosen.unseen > 0 else { return }
        throw CommandFailure(
            chosen.isFull ? .bound : .timeout,
            "\(Quantity.count(chosen.unseen)) of the elements of \(walk.session.renderedPath) were "
                + "not looked at \(chosen.reason), so that there is no answer for all",
            hint: "a part of them can be asked about: \(walk.session.renderedPath)[0..<10000]")
    }

    private func nothing(_ what: String) -> CommandFailure {
        CommandFailure(.notFound, "\(walk.session.renderedPath) has \(what)")
    }

    private func made(
        _ value: ExpressionValue, _ chosen: Chosen
    ) throws(CommandFailure) -> Outcome {
        try checkSeen(chosen)
        var node = value.node
        let notes = chosen.tallies + chosen.notes
        if !notes.isEmpty { node.note = notes.joined(separator: "; ") }
        return .content(.node(node))
    }

    private func element(_ index: Int, _ chosen: Chosen) throws(CommandFailure) -> Outcome {
        guard let position = chosen.positions[index] else {
            try checkSeen(chosen)
            throw nothing(
                "\(Quantity.count(chosen.positions.count, "such element", "such elements")), and no "
                    + "number \(index < 0 ? 0 : index)")
        }
        return .place(try place(of: position))
    }

    private func place(of position: Int) throws(CommandFailure) -> PathWalk.Place {
        walk.session.path = path
        return try elements.place(of: position, in: walk, from: place)
    }

    private func list(_ chosen: Chosen) throws(CommandFailure) -> ValueContent {
        walk.session.path = path
        var notes = chosen.tallies + chosen.notes
        var cut: ValueNode.Cut?
        if chosen.unseen > 0 {
            // Marked as truncated too, because a bare `[]` would be read as no elements.
            cut = .init(reason: chosen.isFull ? "bytes" : "deadline", omitted: chosen.unseen)
            notes.append("\(Quantity.count(chosen.unseen)) were not looked at \(chosen.reason)")
        }
        let note = notes.isEmpty ? nil : notes.joined(separator: "; ")
        let count = chosen.positions.count
        let shown = chosen.positions.part(0..<walk.session.limits.elements)
        switch elements {
        case .ordered(let storage, let type, _):
            let tree = SessionWalk(walk.session).tree(
                of: ChosenElements(storage: storage, type: type, positions: .list(shown.all)),
                count: count, fields: nil, note: note, cut: cut)
            guard let tree else { throw walk.notRead() }
            return .packed(tree)
        case .hashed(let storage, let type):
            var node = elements.node(of: storage, type, at: shown.all, count: count, in: walk)
            node.note = note
            node.cut = node.cut ?? cut
            return .node(node)
        }
    }
}
#endif
