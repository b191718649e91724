#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// `size=3400`: a property of objects, and the value that it must have.
struct InstanceCondition {
    private let path: [ValuePath.Component]
    private let text: String
    private let agent: Agent
    /// Where it stands in each object, and its type, where the classes agree on that.
    private var place: (offset: Int, type: Any.Type)?

    /// - Throws: `.notFound` where no class has such a property, `.denied` where it is a secret.
    init(_ typed: String, _ classes: [Any.Type], _ agent: Agent) throws(CommandFailure) {
        guard let equals = typed.firstIndex(of: "="), equals != typed.startIndex else {
            throw CommandFailure(
                .usage, "--where needs FIELD=VALUE, and '\(typed.escaped(limit: 100))' is none",
                hint: "instances Photo --where size=3400")
        }
        let parsed = try ValuePath(parsing: Self.trimmed(typed[..<equals]))
        guard case .name(let first) = parsed.root else {
            throw CommandFailure(.usage, "--where needs the name of a property")
        }
        path = [.property(first)] + parsed.components
        text = Self.trimmed(typed[typed.index(after: equals)...])
        self.agent = agent
        let fields = try Self.fields(first, classes, agent)
        if path.count == 1, let one = fields.first, one.ownership == .strong,
            !one.isNoncopyable,
            fields.count == classes.count,
            fields.allSatisfy({ $0.offset == one.offset && $0.type == one.type })
        {
            place = (one.offset, one.type)
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " }
        let end = start.reversed().prefix { $0 == " " }.count
        return String(start.dropLast(end))
    }

    /// The property in each class that has it.
    private static func fields(
        _ name: String, _ classes: [Any.Type], _ agent: Agent
    ) throws(CommandFailure) -> [StoredField] {
        let session = ReadSession(
            limits: agent.readLimits(until: .now), masks: agent.masks, handles: nil,
            rootName: ReadSession.unnamed, isPlain: true, source: .process)
        var fields: [StoredField] = []
        var names: [String] = []
        for type in classes {
            let plan = session.plan(of: type)
            names += plan.map(\.field.shownName)
            guard let planned = PathWalk.find(name, in: plan) else { continue }
            guard !planned.isMasked, planned.namedBy == nil, !session.isSecret(type),
                !session.isSecret(planned.field.type)
            else {
                throw CommandFailure(
                    .denied, "\(name) is masked: objects can't be found by it",
                    hint: "the host decides what is masked, by names and with TelltaleReflectable")
            }
            fields.append(planned.field)
        }
        guard fields.isEmpty else { return fields }
        let all = Array(Set(names)).sorted()
        throw CommandFailure(
            .notFound, "no such object has a stored property `\(name.escaped(limit: 100))`",
            hint: NearestNames.question(name, among: all)
                ?? (all.isEmpty ? nil : "there are \(all.prefix(12).joined(separator: ", "))"))
    }

    /// Has the objects compared while they are counted; false where the value is more than plain bytes.
    func filter(_ census: HeapCensus) -> Bool {
        guard let place, let scalar = place.type as? any TypedScalar.Type,
            TypeMetadata(place.type).isTrivial, let literal = try? Literal(parsing: text),
            let value = scalar.make(literal)
        else { return false }
        func filter<Value>(_ value: Value) -> Bool {
            withUnsafeBytes(of: value) { census.filter(at: place.offset, $0) }
        }
        return _openExistential(value, do: filter)
    }

    /// Those of some objects whose property has the value, in one frozen copy of the process.
    func fitting(
        _ addresses: [UInt], _ words: Set<UInt>, until deadline: MonotonicTime,
        _ notes: inout [String]
    ) throws(CommandFailure) -> [UInt] {
        guard !addresses.isEmpty else { return [] }
        let copy: FrozenCopy
        do throws(SystemError) {
            copy = try FrozenCopy(until: deadline.advanced(by: .milliseconds(250)))
        } catch {
            throw CommandFailure(.unsupported, "no copy of the process to look in: \(error)")
        }
        let reader = ValueReader(
            limits: agent.readLimits(until: deadline, depth: 0, elements: 0), masks: agent.masks,
            handles: nil)
        var fitting: [UInt] = []
        for (index, address) in addresses.enumerated() {
            if index % 64 == 63, .now >= deadline {
                notes.append(
                    "only \(Quantity.count(index)) of \(Quantity.count(addresses.count)) were "
                        + "looked at by the deadline")
                break
            }
            let source = MemorySource.copy(copy)
            guard let word = source.load(UInt.self, at: address), words.contains(word),
                let node = try? reader.read(
                    .object(at: address), rootName: ReadSession.unnamed, path: path, in: source)
            else { continue }
            if Self.fits(node, text) { fitting.append(address) }
        }
        if let end = copy.end() {
            throw CommandFailure(.internal, "a copy of the process \(end)", hint: "try again")
        }
        return fitting
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
