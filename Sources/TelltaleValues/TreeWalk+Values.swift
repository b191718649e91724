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
            case .enumeration: return addEnumeration(plan, bytes, label, level: level)
            case .structure, .tuple:
                let kind: NodeKind = plan.pointee.kind == .tuple ? .tuple : .structure
                let place = tree.add(node(kind, type, label))
                addParts(of: plan, in: block, at: offset, to: place, level: level)
            case .array: addArray(plan, bytes, label, level: level)
            case .reference, .object:
                let address = bytes.loadUnaligned(as: UInt.self)
                return addObject(at: address, label, level: level)
            case .existential:
                content = self.content(of: plan, in: block, at: offset)
                guard let content else { return false }
                block = Block(content.block)
                (plan, offset) = (plans.plan(of: content.type), content.offset)
                continue
            case .unmade, .other: return false
            }
            return true
        }
        return false
    }

    func addParts(
        of plan: Plan.Pointer, in block: Block, at offset: Int, to node: Int, level: Int
    ) {
        let parts = plan.pointee.parts
        guard parts.isEmpty || showsParts(at: level) else {
            return tree.cut(node, depthCut, omitted: UInt64(parts.count))
        }
        for (index, part) in parts.enumerated() {
            let stop = stop
            guard stop == noName else {
                tree.cut(node, stop, omitted: UInt64(parts.count &- index))
                break
            }
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
    func addObject(at address: UInt, _ label: Label, level: Int) -> Bool {
        var metadata: UInt = 0
        guard address > 0xFFFF, address & 7 == 0, read(address, &metadata, 8),
            let plan = plans.plan(at: metadata) ?? classPlan(at: metadata)
        else { return false }
        let (type, parts) = (made(plan).pointee.type, plan.pointee.parts)
        if plan.pointee.kind == .secret {
            addMasked(type, label)
            return true
        }
        guard plan.pointee.kind == .object else { return false }
        var node = node(.object, type, label)
        node.value = UInt64(address)
        node.flags.insert(.hasAddress)
        if !bounds.repeats, let handle = shownHandle(address) {
            (node.kind, node.handle) = (.reference, handle)
            _ = tree.add(node)
            return true
        }
        node.handle = handle(of: address, type)
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
            shows(address, Int(node.handle))
            let block = Block(bytes: bytes, size: size, object: address)
            addParts(of: plan, in: block, at: 0, to: place, level: level)
        }
        return true
    }

    private func classPlan(at metadata: UInt) -> Plan.Pointer? {
        guard let type = MetadataCheck.type(at: metadata), TypeMetadata(type).kind == .classType
        else { return nil }
        return plans.plan(of: type)
    }

    // MARK: Leaves

    // The room for any number, an address, or the digits of a Double.
    private static let numberRoom = 64

    func addScalar(_ plan: Plan.Pointer, _ bytes: UnsafeRawPointer, _ label: Label) {
        guard let room = tree.leafText(Self.numberRoom) else { return }
        var out = ByteCursor(room)
        put(plan, bytes, to: &out)
        let size = out.end.map(room.distance) ?? 0
        guard size > 0 else { return addUnavailable(plan.pointee.type, label) }
        let flags = label.flags.union([.hasText, .isPlain])
        tree.addLeaf(.init(.scalar, plan.pointee.type, label.number, flags), textSize: size)
        spend(size)
    }

    @inline(__always)
    private func put(_ plan: Plan.Pointer, _ bytes: UnsafeRawPointer, to out: inout ByteCursor) {
        var word: UInt64 = 0
        let size = min(plan.pointee.size, 8)
        withUnsafeMutableBytes(of: &word) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: size))
        }
        switch plan.pointee.kind {
        case .integer:
            let unused = UInt64(64 &- 8 &* size)
            out.put(integer: Int64(bitPattern: word &<< unused) &>> Int64(unused))
        case .natural: out.put(natural: word)
        case .pointer: out.put(address: word)
        case .truth: if word & 1 != 0 { out.put("true") } else { out.put("false") }
        case .double: put(Double(bitPattern: word).description, to: &out)
        case .float:
            put(Float(bitPattern: UInt32(truncatingIfNeeded: word)).description, to: &out)
        default: text(of: bytes, plan).map { put($0, to: &out) }
        }
    }

    private func put(_ text: String, to out: inout ByteCursor) {
        var text = text
        text.withUTF8 { if $0.count <= Self.numberRoom { out.put(UnsafeRawBufferPointer($0)) } }
    }

    /// Adds a string; false if the reader must read it. The layout is that of swift-6.3.1, 64 bits.
    private func addString(_ type: NameNumber, _ bytes: UnsafeRawPointer, _ label: Label) -> Bool {
        let (first, second) = bytes.loadUnaligned(as: (UInt64, UInt64).self)
        var (count, address) = (Int(first & 0xFFFF_FFFF_FFFF), UInt(0))
        if second >> 60 & 2 != 0 {
            count = Int(second >> 56 & 0xF)
        } else {
            guard second >> 60 & 1 == 0 else { return false }
            // A shared string keeps its bytes elsewhere.
            if first >> 60 & 1 == 0, second >> 60 & 8 == 0 {
                guard count == 0 else { return false }
            } else {
                address = UInt(second & 0x0FFF_FFFF_FFFF_FFFF) &+ 32
            }
        }
        guard count <= bounds.stringBytes, let room = tree.leafText(max(count, 16)) else {
            return false
        }
        if address == 0 {
            room.copyMemory(from: bytes, byteCount: 16)
        } else if !read(address, room, count) {
            return false
        }
        let scan = TextScan(UnsafeRawBufferPointer(start: room, count: count))
        guard scan.isShownAsItIs, !bounds.masks || !scan.mayHoldSecret else { return false }
        let flags = label.flags.union([.hasText, .isQuoted, .isPlain])
        tree.addLeaf(.init(.string, type, label.number, flags), textSize: count)
        spend(count &+ 2)
        return true
    }

    // MARK: Enumerations

    /// Adds an enumeration; false if the reader must read it.
    private func addEnumeration(
        _ plan: Plan.Pointer, _ bytes: UnsafeRawPointer, _ label: Label, level: Int
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
            let block = Block(bytes: copy, size: size, object: 0)
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
