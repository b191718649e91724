#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

/// The calls of the reader, and its nodes as they are added to the tree.
extension TreeWalk {
    /// Returns the plan, which is made first if necessary.
    @inline(__always)
    func made(_ plan: Plan.Pointer) -> Plan.Pointer {
        if plan.pointee.kind == .unmade { make(plan) }
        return plan
    }

    private func make(_ plan: Plan.Pointer) {
        let (type, isBare) = (plan.pointee.swiftType, plan.pointee.isBare)
        plans.fill(
            plan, reader?.shape(of: type, isBare: isBare) ?? .other,
            leavesOut: reader?.leavesOutParts(of: type) ?? false)
    }

    func readOther(
        _ plan: Plan.Pointer, in block: Block, at offset: Int, _ label: Label, level: Int
    ) {
        let type = plan.pointee.swiftType
        // An object's address is needed only to read the object's own properties.
        var part = block
        part.object = 0
        let view = view(type, part, offset, count: plan.pointee.size)
        addNode(
            reader?.value(
                view, type, isBare: plan.pointee.isBare, label: text(of: label), level: level))
    }

    func readPart(
        _ index: Int, of plan: Plan.Pointer, in block: Block, at offset: Int, level: Int
    ) {
        let type = plan.pointee.swiftType
        let view = view(type, block, offset, count: plan.pointee.size)
        addNode(reader?.part(index, of: type, in: view, level: level))
    }

    func addNode(_ node: ValueNode?) {
        if let node { add(node) } else { fail() }
    }

    private func text(of label: Label) -> String? {
        if label.flags.contains(.isElement) { return "[\(label.number)]" }
        return label.number == noName ? nil : plans.text(label.number)
    }

    /// A view of the bytes at an offset, or of a whole object.
    func view(
        _ type: Any.Type, _ block: Block, _ offset: Int, count: Int
    ) -> ValueView? {
        if let memory = block.memory {
            return ValueView(
                block: memory.takeUnretainedValue(), offset: offset, type: type,
                isStable: block.isStable)
        }
        let isObject = block.object != 0
        let count = isObject ? 0 : count
        guard let bytes = block.bytes, offset >= 0, count >= 0, offset <= block.size &- count,
            let copy = MemoryBlock(
                copying: UnsafeRawBufferPointer(
                    start: bytes + (isObject ? 0 : offset), count: isObject ? block.size : count),
                source: source, object: isObject ? block.object : nil)
        else { return nil }
        return ValueView(
            block: copy, offset: isObject ? offset : 0, type: type, isStable: block.isStable)
    }

    /// The text of a number that the runtime formats.
    func text(of bytes: UnsafeRawPointer, _ plan: Plan.Pointer) -> String? {
        let type = plan.pointee.swiftType
        guard case .scalar(let kind) = TypeShape.of(type) else { return nil }
        let raw = UnsafeRawBufferPointer(start: bytes, count: plan.pointee.size)
        return MemoryBlock(copying: raw, source: source, object: nil).flatMap {
            kind.text(of: ValueView(block: $0, offset: 0, type: type, isStable: false))
        }
    }

    // MARK: Nodes of the reader

    private static let kinds = Dictionary(
        uniqueKeysWithValues: FlatTree.kinds.enumerated().compactMap { index, kind in
            NodeKind(rawValue: UInt8(index)).map { (kind, $0) }
        })
    private static let longestPosition = 10

    /// Adds a node and its parts.
    private func add(_ node: ValueNode) {
        guard let kind = Self.kinds[node.kind] else { return fail() }
        var flat = FlatNode(kind: kind, type: plans.name(node.type), label: noName)
        flat.note = node.note.map(plans.name) ?? noName
        flat.cut = node.cut.map { plans.name($0.reason) } ?? noName
        flat.handle = Int32(clamping: node.handle ?? 0)
        let label = label(of: node.label)
        (flat.label, flat.flags) = (label.number, label.flags)
        value(node, &flat)
        if let omitted = node.cut?.omitted {
            flat.omitted = UInt64(clamping: omitted)
            flat.flags.insert(.hasOmitted)
        }
        let place: Int
        if var text = node.text {
            place = text.withUTF8 { tree.add(flat, text: UnsafeRawBufferPointer($0)) }
        } else {
            place = tree.add(flat)
        }
        for child in node.children { add(child) }
        tree.close(place)
    }

    func fail() { tree.hasFailed = true }

    // The positions in a list are stored as numbers and not as names, because a long list would add as many
    // names.
    func label(of text: String?) -> Label {
        guard let text else { return Label() }
        let position = text.utf8.dropFirst().dropLast()
        if text.hasPrefix("["), text.hasSuffix("]"), position.count < Self.longestPosition,
            let number = UInt32(Substring(position)), String(number).utf8.elementsEqual(position)
        {
            return Label(number: number, flags: .isElement, size: text.utf8.count)
        }
        return Label(number: plans.name(text), size: text.utf8.count)
    }

    private func value(_ node: ValueNode, _ flat: inout FlatNode) {
        switch (node.address, node.count) {
        case (nil, nil): break
        case (let address?, nil):
            guard address.hasPrefix("0x"), let word = UInt64(address.dropFirst(2), radix: 16)
            else { return fail() }
            flat.value = word
            flat.flags.insert(.hasAddress)
        case (nil, let count?) where count >= 0:
            flat.value = UInt64(count)
            flat.flags.insert(.hasCount)
        default: fail()
        }
    }
}
#endif
