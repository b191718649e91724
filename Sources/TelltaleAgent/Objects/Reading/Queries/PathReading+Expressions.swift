#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// Values computed from other values. Values below the same root are read in one access of its owner; values
/// of different roots are read at different moments.
extension PathReading {
    func read(
        _ expression: ValueExpression, as text: String, limits: ReadLimits, snapshot: Bool
    ) throws(CommandFailure) -> ValueAnswer {
        var limits = limits
        if expression.isLeaf, let leaf = expression.leaves.first {
            var target = try resolve(leaf.path)
            target.rendered = text
            return try read(
                target, query: Self.query(of: leaf), limits: limits, snapshot: snapshot)
        }
        // Only whole values are used in computations, so no parts are read.
        limits.depth = 0
        limits.elements = 0
        let values = try values(of: expression.leaves, limits: limits, snapshot: snapshot)
        let result: ExpressionValue
        do throws(ExpressionFailure) {
            result = try expression.value { number throws(ExpressionFailure) in
                try values.results[number].get()
            }
        } catch {
            throw error.failure(in: text)
        }
        return ValueAnswer(
            path: text, value: result.node, owner: values.owner, read: values.how)
    }

    private static func query(of leaf: ValueExpression.Leaf) -> ReadQuery? {
        leaf.clauses.isEmpty ? nil : .collection(leaf.clauses, then: leaf.steps)
    }

    // MARK: Several values

    private struct LeafValues {
        var results: [Result<ExpressionValue, ExpressionFailure>]
        var owner: String
        var how: String
    }

    /// The leaves that are read in one owner access.
    private struct Turn {
        var target: Target
        var leaves: [Int]
        var parts: [ReadQuery.Part]
    }

    private func values(
        of leaves: [ValueExpression.Leaf], limits: ReadLimits, snapshot: Bool
    ) throws(CommandFailure) -> LeafValues {
        var turns: [Turn] = []
        for (number, leaf) in leaves.enumerated() {
            let target = try resolve(leaf.path)
            let part = ReadQuery.Part(path: target.path, query: Self.query(of: leaf))
            let same = turns.firstIndex {
                $0.target.entry.identifier == target.entry.identifier
                    && $0.target.entry.name == target.entry.name && $0.target.expected == nil
                    && target.expected == nil
                    && !target.entry.isFound
            }
            if let same {
                turns[same].leaves.append(number)
                turns[same].parts.append(part)
            } else {
                turns.append(Turn(target: target, leaves: [number], parts: [part]))
            }
        }
        let none = ExpressionFailure(.internal, "it was not read")
        var values = LeafValues(
            results: leaves.map { _ in .failure(none) }, owner: "none", how: "computed")
        let reading = ObjectReading(agent: context.agent, isConfirmed: isConfirmed)
        let wanted = turns.map { turn in
            var target = turn.target
            if turn.parts.count > 1 { target.path = [] }
            let query =
                turn.parts.count > 1 ? ReadQuery.several(turn.parts) : turn.parts.first?.query
            return self.wanted(target, query: query, limits: limits)
        }
        // Concurrent reads: the total wait is that of the slowest owner, not the sum of all.
        let calls = snapshot ? [] : wanted.map(reading.start)
        for (index, turn) in turns.enumerated() {
            let result =
                snapshot
                ? reading.read(wanted[index], snapshot: true)
                : reading.finish(calls[index], wanted[index])
            if turns.count == 1, case .read(_, let how) = result {
                (values.owner, values.how) = (turn.target.entry.ownerDescription, how)
            }
            Self.add(result, of: turn, leaves, to: &values)
        }
        if turns.count > 1 { values.how = "computed of \(turns.count) owners' values" }
        return values
    }

    private static func add(
        _ result: ObjectReading.Result, of turn: Turn, _ leaves: [ValueExpression.Leaf],
        to values: inout LeafValues
    ) {
        for (index, number) in turn.leaves.enumerated() {
            let offset = leaves[number].offset
            switch result {
            case .failed(let failure):
                values.results[number] = .failure(
                    ExpressionFailure(failure.code, failure.message, at: offset))
            case .read(let content, _):
                let node = content.node
                let isPart = turn.leaves.count > 1
                guard !isPart || index < node.children.count else { continue }
                let part = isPart ? node.children[index] : node
                do throws(ExpressionFailure) {
                    values.results[number] = .success(try ExpressionValue(part))
                } catch {
                    values.results[number] = .failure(
                        ExpressionFailure(
                            error.code, "\(leaves[number].path): \(error.message)", at: offset))
                }
            }
        }
    }
}
#endif
