#if TELLTALE_AGENT
import TelltaleRuntime

extension TreeWalk {
    // MARK: Nodes

    @inline(__always)
    func node(_ kind: NodeKind, _ type: NameNumber, _ label: Label) -> FlatNode {
        FlatNode(
            kind: kind, type: type, label: label.number, flags: label.flags, note: label.note)
    }

    @inline(__always)
    func addLeaf(_ kind: NodeKind, _ type: NameNumber, _ label: Label, _ text: StaticString) {
        _ = tree.add(
            node(kind, type, label),
            text: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    func addUnavailable(_ type: NameNumber, _ label: Label) {
        var label = label
        addNote(changing, to: &label)
        _ = tree.add(node(.unavailable, type, label))
    }

    /// Adds a note after the one that is there.
    func addNote(_ note: NameNumber, to label: inout Label) {
        label.note =
            label.note == noName
            ? note : plans.name(plans.text(label.note) + "; " + plans.text(note))
    }

    func addMasked(_ type: NameNumber, _ label: Label) {
        hides()
        addLeaf(.masked, type, label, "<masked>")
    }

    // MARK: Values

    /// Adds the node of a value.
    func addValue(
        _ plan: Plan.Pointer, in block: Block, at offset: Int, _ label: Label, level: Int
    ) {
        let before = spent
        spend(96 &+ label.size)
        if readValue(plan, in: block, at: offset, label, level: level) { return }
        spent = before
        readOther(plan, in: block, at: offset, label, level: level)
    }

    /// Returns false, without adding anything, if the reader must read the value.
    private func readValue(
        _ plan: Plan.Pointer, in block: Block, at offset: Int, _ label: Label, level: Int
    ) -> Bool {
        var (plan, block, offset) = (plan, block, offset)
        var content: ValueView?
        defer { withExtendedLifetime(content) {} }
        // Optionals of optionals have an end; the nesting of `Any` in `Any` may have none.
        for _ in 0..<64 {
            plan = made(plan)
            guard let start = block.bytes, offset >= 0, offset <= block.size &- plan.pointee.size
            else { return false }
            let bytes = start + offset
            let type = plan.pointee.type
            // The reader says that it can't be read without an owner.
            guard isReadInPlace(plan, block) || plan.pointee.kind == .secret else { return false }
            switch plan.pointee.kind {
            case .optional:
                guard let inner = plan.pointee.inner else { return false }
                if plan.pointee.tag(of: bytes) == 0 {
                    plan = inner
                    continue
                }
                if made(inner).pointee.kind == .secret {
                    addMasked(type, label)
                } else {
                    addLeaf(.none, type, label, "nil")
                }
            case .secret: addMasked(type, label)
            case .integer, .natural, .truth, .pointer, .double, .float, .number:
                addScalar(plan, bytes, label)
            case .string: return addString(type, bytes, label)
            case .enumeration:
                return addEnumeration(
                    plan, bytes, label, level: level, isStable: block.isStable)
            case .structure, .tuple:
                let kind: NodeKind = plan.pointee.kind == .tuple ? .tuple : .structure
                let place = tree.add(node(kind, type, label))
                addParts(of: plan, in: block, at: offset, to: place, level: level)
            case .array:
                addArray(plan, bytes, label, level: level, isStable: block.isStable)
            case .set, .dictionary:
                addTable(plan, bytes, label, level: level, isStable: block.isStable)
            case .function: addLeaf(.opaque, type, label, "(Function)")
            case .reference, .object:
                let address = bytes.loadUnaligned(as: UInt.self)
                return addObject(at: address, label, level: level)
            case .existential:
                content = self.content(of: plan, in: block, at: offset)
                guard let content else { return false }
                block = Block(content.block, isStable: content.isStable)
                (plan, offset) = (plans.plan(of: content.type), content.offset)
                continue
            case .unmade, .other: return false
            }
            return true
        }
        return false
    }

    /// Returns false if a value can tear, because it is read without an owner.
    @inline(__always)
    private func isReadInPlace(_ plan: Plan.Pointer, _ block: Block) -> Bool {
        !bounds.isPlain || block.isStable || plan.pointee.isPlainWord
            || plan.pointee.isNoncopyable
    }

    func addParts(
        of plan: Plan.Pointer, in block: Block, at offset: Int, to node: Int, level: Int
    ) {
        let parts = plan.pointee.parts
        if plan.pointee.leavesOut { hides() }
        guard parts.isEmpty || showsParts(at: level) else {
            return tree.cut(node, depthCut, omitted: UInt64(parts.count))
        }
        // Another thread may write a class's variable during the read; a struct's variables change only with
        // the whole struct.
        let isObject = plan.pointee.kind == .object
        var block = block
        for (index, part) in parts.enumerated() {
            let stop = stop
            guard stop == noName else {
                tree.cut(node, stop, omitted: UInt64(parts.count &- index))
                break
            }
            if isObject { block.isStable = !part.isVariable }
            within(part.step) {
                if part.isMasked {
                    addMasked(part.type, part.label)
                } else if part.ownership != .strong {
                    if addReference(part, in: block, at: offset, level: level &+ 1) { return }
                    readPart(index, of: plan, in: block, at: offset, level: level &+ 1)
                } else if !part.isOther, let inner = part.plan {
                    addValue(
                        inner, in: block, at: offset &+ part.offset, part.label,
                        level: level &+ 1)
                } else {
                    readPart(index, of: plan, in: block, at: offset, level: level &+ 1)
                }
            }
        }
        tree.close(node)
    }

    // MARK: Objects

    /// Adds the node of an object; false, without adding anything, if there is none or the reader must read
    /// it.
    func addObject(
        at address: UInt, _ label: Label, level: Int, isBare: Bool = false, isBack: Bool = false
    ) -> Bool {
        var metadata: UInt = 0
        guard address > 0xFFFF, address & 7 == 0, read(address, &metadata, 8),
            let plan = plans.plan(at: metadata | (isBare ? 1 : 0))
                ?? classPlan(at: metadata, isBare: isBare)
        else { return false }
        let (type, parts) = (made(plan).pointee.type, plan.pointee.parts)
        if plan.pointee.kind == .secret {
            addMasked(type, label)
            return true
        }
        guard plan.pointee.kind == .object else { return false }
        if plan.pointee.leavesOut { hides() }
        var node = node(.object, type, label)
        node.value = UInt64(address)
        node.flags.insert(.hasAddress)
        if !bounds.repeats, let handle = shownHandle(address) {
            (node.kind, node.handle) = (.reference, handle)
            _ = tree.add(node)
            return true
        }
        if addKnown(node, label, level: level, isBack: isBack) { return true }
        let known = level > 0 && bounds.givesHandles ? reader?.known(address)?.handle : nil
        node.handle = known.map { Int32(clamping: $0) } ?? handle(of: address, type)
        let place = tree.add(node)
        guard parts.isEmpty || showsParts(at: level) else {
            tree.cut(place, depthCut, omitted: UInt64(parts.count))
            return true
        }
        let size = plan.pointee.objectSize
        withCopy(size) { bytes in
            guard read(address, bytes, size) else {
                var label = label
                addNote(changing, to: &label)
                return tree.note(place, label.note)
            }
            shows(address, node.handle)
            let block = Block(bytes: bytes, size: size, object: address)
            addParts(of: plan, in: block, at: 0, to: place, level: level)
        }
        return true
    }

    /// Adds an object without its parts, if the bounds want it so; false, without adding anything, if not.
    private func addKnown(
        _ object: FlatNode, _ label: Label, level: Int, isBack: Bool
    ) -> Bool {
        guard bounds.isBrief, level > 0 else { return false }
        let known = reader?.known(UInt(object.value))
        guard isBack || known != nil else { return false }
        var (node, label) = (object, label)
        node.kind = .reference
        node.handle =
            known.map { Int32(clamping: $0.handle) } ?? handle(of: UInt(object.value), object.type)
        if let note = known?.note { addNote(plans.name(note), to: &label) }
        node.note = label.note
        _ = tree.add(node, text: plans.name(object.type).bytes)
        return true
    }

    private func classPlan(at metadata: UInt, isBare: Bool) -> Plan.Pointer? {
        guard let type = MetadataCheck.type(at: metadata), TypeMetadata(type).kind == .classType
        else { return nil }
        return plans.plan(of: type, isBare: isBare)
    }

    // MARK: Enumerations

    /// Adds an enumeration; false if the reader must read it.
    private func addEnumeration(
        _ plan: Plan.Pointer, _ bytes: UnsafeRawPointer, _ label: Label, level: Int,
        isStable: Bool
    ) -> Bool {
        let tag = plan.pointee.tag(of: bytes)
        guard tag < plan.pointee.parts.count else { return false }
        let part = plan.pointee.parts[tag]
        guard !part.isOther else { return false }
        let place = tree.add(
            node(.enumeration, plan.pointee.type, label), text: plans.name(part.label.number).bytes)
        guard let inner = part.plan, let project = plan.pointee.project else { return true }
        let size = plan.pointee.size
        withCopy(size) { copy in
            copy.copyMemory(from: bytes, byteCount: size)
            project(copy, plan.pointee.metadata)
            let block = Block(bytes: copy, size: size, isStable: isStable)
            addPayload(made(inner), in: block, part.step, to: place, level: level)
        }
        return true
    }

    private func addPayload(
        _ plan: Plan.Pointer, in block: Block, _ step: NameNumber, to place: Int, level: Int
    ) {
        let stop = stop
        if plan.pointee.kind == .tuple {
            addParts(of: plan, in: block, at: 0, to: place, level: level)
        } else if !showsParts(at: level) {
            tree.cut(place, depthCut, omitted: 1)
        } else if stop != noName {
            tree.cut(place, stop, omitted: 1)
        } else {
            within(step) {
                addValue(plan, in: block, at: 0, payloadLabel, level: level &+ 1)
            }
            tree.close(place)
        }
    }
}
#endif
