#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// The `--where` condition of `instances`: a property and its value (`size=3400`), or a condition as for a
/// list's elements (`size > 3400 && isNew`).
struct InstanceCondition {
    private enum Kind {
        case value(String, at: [ValuePath.Component])
        case expression(ValueExpression)
    }

    private let kind: Kind
    private let agent: Agent
    /// The property's offset in each object and its type; `nil` if the classes disagree about them.
    private var place: (offset: Int, type: Any.Type)?

    /// - Throws: `.notFound` if no class has such a property, `.denied` if the property is a secret.
    init(_ typed: String, _ classes: [Any.Type], _ agent: Agent) throws(CommandFailure) {
        self.agent = agent
        guard let equals = Self.equals(in: typed) else {
            kind = .expression(try Self.expression(typed, classes, agent))
            return
        }
        let path = try Self.steps(try ValuePath(parsing: typed[..<equals].trimmed))
        kind = .value(typed[typed.index(after: equals)...].trimmed, at: path)
        let fields = try Self.fields(path, classes, agent)
        if path.count == 1, let one = fields.first, one.ownership == .strong,
            !one.isNoncopyable,
            fields.count == classes.count,
            fields.allSatisfy({ $0.offset == one.offset && $0.type == one.type })
        {
            place = (one.offset, one.type)
        }
    }

    /// The index of the `=` in `size=3400`; `nil` without a single `=` after a name.
    private static func equals(in typed: String) -> String.Index? {
        let bytes = typed.utf8
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")), equals != bytes.startIndex
        else {
            return nil
        }
        let next = bytes.index(after: equals)
        let before = bytes[bytes.index(before: equals)]
        let isOperator =
            "<>!".utf8.contains(before) || (next < bytes.endIndex && bytes[next] == bytes[equals])
        return isOperator ? nil : equals
    }

    private static func expression(
        _ typed: String, _ classes: [Any.Type], _ agent: Agent
    ) throws(CommandFailure) -> ValueExpression {
        let expression = try ValueExpression(parsing: typed)
        guard !expression.leaves.isEmpty,
            expression.leaves.allSatisfy({ $0.clauses.isEmpty })
        else {
            throw CommandFailure(
                .usage, "--where compares properties of the objects: FIELD=VALUE, or FIELD > VALUE",
                hint: "instances Photo --where 'attempts > 1 && state == .ready'")
        }
        for leaf in expression.leaves {
            _ = try fields(try steps(leaf.path), classes, agent)
        }
        return expression
    }

    private static func steps(
        _ path: ValuePath
    ) throws(CommandFailure) -> [ValuePath.Component] {
        guard case .name = path.root, let first = path.fieldSteps.first, first.propertyName != nil
        else { throw CommandFailure(.usage, "--where needs the name of a property") }
        return path.fieldSteps
    }

    /// The first property of the path, for each class that has it.
    private static func fields(
        _ path: [ValuePath.Component], _ classes: [Any.Type], _ agent: Agent
    ) throws(CommandFailure) -> [StoredField] {
        let name = path.first?.propertyName ?? ""
        let session = ReadSession(
            limits: agent.readLimits(until: .now), masks: agent.masks, handles: nil,
            rootName: ReadSession.unnamed, isPlain: true, source: .process)
        var fields: [StoredField] = []
        var names: [String] = []
        for type in classes {
            let plan = session.plan(of: type)
            names += plan.map(\.field.shownName)
            guard let planned = plan.named(name) else { continue }
            guard !planned.isMasked, planned.namedBy == nil, !session.isSecret(type),
                !session.isSecret(planned.field.type), !agent.masks.masks(found: type)
            else {
                throw CommandFailure(
                    .denied, "\(name) is masked: objects can't be found by it",
                    hint:
                        "the service decides what is masked, by names and with TelltaleReflectable")
            }
            fields.append(planned.field)
        }
        guard fields.isEmpty else { return fields }
        let all = Array(Set(names)).sorted()
        throw CommandFailure(
            .notFound, "no such object has a stored property `\(name.escaped(limit: 100))`",
            hint: NearestNames.question(name, among: all)
                ?? (all.isEmpty ? nil : "there are \(all.listed(12))"))
    }

    /// Makes the census compare the objects while it counts them. Returns false if it can't: it compares only
    /// a trivial (POD) scalar that has the same offset in all classes.
    func filter(_ census: HeapCensus) -> Bool {
        guard let place, case .value(let text, _) = kind,
            let scalar = place.type as? any TypedScalar.Type,
            TypeMetadata(place.type).isTrivial, let literal = try? Literal(parsing: text),
            let value = scalar.make(literal)
        else { return false }
        func filter<Value>(_ value: Value) -> Bool {
            withUnsafeBytes(of: value) { census.filter(at: place.offset, $0) }
        }
        return _openExistential(value, do: filter)
    }

    /// Filters `addresses` to the objects that meet the condition, in one copy-on-write snapshot of the
    /// process.
    func fitting(
        _ addresses: [UInt], _ words: Set<UInt>, until deadline: MonotonicTime,
        _ notes: inout [String]
    ) throws(CommandFailure) -> [UInt] {
        guard !addresses.isEmpty else { return [] }
        let copy = try SnapshotCopy.make(
            for: SnapshotCopy.Purpose(subject: "the condition", isAsked: false), until: deadline)
        let reader = ValueReader(
            limits: agent.readLimits(until: deadline, depth: 0, elements: 0), masks: agent.masks,
            handles: nil)
        var fitting: [UInt] = []
        var failed = ElementFailures()
        var looked = 0
        for (index, address) in addresses.enumerated() {
            if index % 64 == 63, .now >= deadline {
                notes.append(
                    "only \(Quantity.count(index)) of \(Quantity.count(addresses.count)) were "
                        + "looked at by the deadline")
                break
            }
            let source = MemorySource.copy(copy)
            guard let word = source.load(UInt.self, at: address), words.contains(word) else {
                continue
            }
            looked += 1
            do throws(ExpressionFailure) {
                if try fits(address, reader, source) { fitting.append(address) }
            } catch {
                try failed.add(error, in: Self.subject)
            }
        }
        if let end = copy.end() {
            throw CommandFailure(.internal, "a copy of the process \(end)", hint: "try again")
        }
        try failed.check(looked: looked, in: Self.subject)
        notes += failed.notes
        return fitting
    }

    private static let subject = "these objects"

    private func fits(
        _ address: UInt, _ reader: ValueReader, _ source: MemorySource
    ) throws(ExpressionFailure) -> Bool {
        switch kind {
        case .value(let text, let path):
            let node = try? reader.read(
                .object(at: address), rootName: ReadSession.unnamed, path: path, in: source)
            return node.map { Self.fits($0, text) } ?? false
        case .expression(let expression):
            return try expression.holds { number throws(ExpressionFailure) in
                let path = expression.leaves[number].path.fieldSteps
                let node: ValueNode
                do throws(CommandFailure) {
                    node = try reader.read(
                        .object(at: address), rootName: ReadSession.unnamed, path: path, in: source)
                } catch {
                    throw ExpressionFailure(error.code, error.message)
                }
                return try ExpressionValue(node)
            }
        }
    }

    private static func fits(_ node: ValueNode, _ text: String) -> Bool {
        switch node.kind {
        case .none: text == "nil"
        case .scalar, .enumeration: node.text == text || node.text == ".\(text)"
        case .string: node.cut == nil && (node.text == text || node.text == Literal.quoted(text))
        case .object, .reference: node.address == text
        default: false
        }
    }
}
#endif
