#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// A search for the objects of a class: a heap census that also keeps their addresses.
struct InstanceSearch: Sendable {
    let agent: Agent
    let deadline: MonotonicTime

    /// The maximum number of objects compared with a condition that the census can't check while it counts.
    private static let mostCompared = 131_072
    /// The maximum number of objects listed: the handle table evicts an eighth of its handles at a time, and
    /// no handle of this list may be among them.
    private static let mostListed = HandleTable.capacity / 8 * 7

    private struct Class {
        let word: UInt
        let type: Any.Type
    }

    /// Finds the objects that match; each listed object gets a handle.
    func find(
        _ typed: String, where condition: String?, limit: Int
    ) throws(CommandFailure) -> InstancesAnswer {
        let asked = limit
        let limit = min(max(limit, 0), Self.mostListed)
        let census = try HeapCensus.counted(
            until: deadline, capacity: condition == nil ? limit : Self.mostCompared)
        let classes = try classes(named: typed, in: census)
        for one in classes { census.want(one.word) }
        let sought = try condition.map { text throws(CommandFailure) in
            try InstanceCondition(text, classes.map(\.type), agent)
        }
        let isFiltered = sought?.filter(census) ?? true
        census.count()
        var notes = census.gaps
        var kept = census.kept
        var total = kept.count + census.leftOut
        if let sought, !isFiltered {
            if census.leftOut > 0 {
                notes.append(
                    "only \(Quantity.count(kept.count)) of \(Quantity.count(total)) were looked at")
            }
            kept = try sought.fitting(kept, Set(classes.map(\.word)), until: deadline, &notes)
            total = kept.count
        }
        if asked > limit, total > limit {
            notes.append("\(Quantity.count(limit)) are listed at most: each has a number")
        }
        return InstancesAnswer(
            instances: entries(kept.prefix(limit)), total: total, notes: notes)
    }

    private func classes(
        named typed: String, in census: HeapCensus
    ) throws(CommandFailure) -> [Class] {
        let names = HeapNames(census)
        var match = TypeMatch(typed)
        var found: [Class] = []
        var others: Set<String> = []
        for row in census.rows {
            guard let name = names.name(of: row), name.kind == "class", let type = name.type else {
                continue
            }
            if match.fits(type) {
                found.append(Class(word: row.word, type: type))
            } else if !name.isAgents {
                others.insert(name.text)
            }
        }
        guard found.isEmpty else { return found }
        if let value = valueType(named: typed) {
            throw CommandFailure(
                .notFound,
                "\(value.name) is \(value.kind == "enum" ? "an enum" : "a \(value.kind)"): its values "
                    + "are parts of other objects, and only objects of classes can be listed",
                hint:
                    "`types \(value.name)` says what it is; `objects` and `roots` list what may hold one"
            )
        }
        throw CommandFailure(
            .notFound, "no object of a class `\(typed.escaped(limit: 100))` is on the heap",
            hint: NearestNames.question(typed, among: others.sorted()) ?? "`heap` lists the classes"
        )
    }

    /// The struct or enum of the program with this name.
    private func valueType(named typed: String) -> DescriptorSearch.Declared? {
        guard let images = LoadedImages.read() else { return nil }
        return ProgramTypes.all(images).first { type in
            ["struct", "enum"].contains(type.kind)
                && (type.name == typed || "\(type.module).\(type.name)" == typed
                    || type.name.endsWithPart(typed))
        }
    }

    private func entries(_ addresses: ArraySlice<UInt>) -> [InstancesAnswer.Entry] {
        var limits = agent.readLimits(until: deadline, depth: 0, elements: 0)
        limits.takesLocks = false
        let session = ReadSession(
            limits: limits, masks: agent.masks, handles: nil, rootName: ReadSession.unnamed,
            isPlain: true, source: .process)
        return addresses.compactMap { address in
            guard let word = GuardedMemory.load(UInt.self, at: address),
                let type = MetadataCheck.classOfObject(at: address, in: .process)
            else { return nil }
            let name = TypeNames.name(of: type)
            return InstancesAnswer.Entry(
                handle: agent.handles.handle(found: address, word: word, typeName: name),
                type: name, address: Quantity.address(address),
                values: Self.values(of: address, type, session))
        }
    }

    /// The maximum number of properties shown for each object.
    private static let mostValues = 3

    /// The values of an object that can be read in place: constants and trivial machine words.
    private static func values(
        of address: UInt, _ type: Any.Type, _ session: ReadSession
    ) -> String {
        guard !session.isSecret(type), !session.masks.masks(found: type),
            let view = NodeMaker.instance(at: address, of: type, in: .process)
        else { return "" }
        let maker = NodeMaker(session: session)
        var parts: [String] = []
        for planned in session.plan(of: type) where parts.count < mostValues {
            let base = ValueView(
                block: view.block, offset: 0, type: type, isStable: !planned.field.isVariable)
            session.needsMore = false
            let node = maker.child(planned, of: base, level: 0)
            guard !session.needsMore, node.children.isEmpty, node.cut == nil else { continue }
            switch node.kind {
            case .scalar, .string, .enumeration:
                let text = node.text ?? ""
                let shown = text.count > 60 ? text.prefix(59) + "…" : text[...]
                parts.append("\(planned.field.shownName): \(shown)")
            default: continue
            }
        }
        return parts.joined(separator: ", ")
    }
}
#endif
