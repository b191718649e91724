#if TELLTALE_AGENT
import TelltaleRuntime

extension TreeWalk.Block {
    /// The bytes of a copy, which the caller keeps alive.
    init(_ block: MemoryBlock, isStable: Bool) {
        self.init(
            bytes: block.bytes(at: 0, count: block.count)?.baseAddress, size: block.count,
            object: block.object ?? 0, memory: .passUnretained(block), isStable: isStable)
    }
}

extension TreeWalk {
    /// The value in an existential, with its own type; nil if it can't be read.
    func content(of plan: Plan.Pointer, in block: Block, at offset: Int) -> ValueView? {
        let type = plan.pointee.swiftType
        var part = block
        part.object = 0
        guard case .existential(let layout) = TypeShape.of(type) else { return nil }
        return view(type, part, offset, count: plan.pointee.size).flatMap(layout.content)
    }

    /// Adds the node of a weak or an unowned reference; false, without adding anything, if the reader must
    /// read it.
    func addReference(_ part: Plan.Part, in block: Block, at offset: Int, level: Int) -> Bool {
        let place = offset &+ part.offset
        guard !part.isOther, !bounds.isPlain, let inner = part.plan, let bytes = block.bytes,
            place >= 0, place <= block.size &- 8
        else { return false }
        if made(inner).pointee.kind == .secret {
            addMasked(part.type, part.label)
            return true
        }
        let isWeak = part.ownership == .weak
        var label = part.label
        label.note = plans.name(isWeak ? "weak" : "unowned")
        switch target(bytes.loadUnaligned(fromByteOffset: place, as: UInt.self), part.ownership) {
        case .object(let address)?:
            return addObject(at: address, label, level: level, isBack: true)
        case .gone? where !isWeak:
            addNote(plans.name("gone"), to: &label)
            _ = tree.add(node(.unavailable, part.type, label))
        case .gone?, ReferenceStorage.Target.none?: addLeaf(.none, part.type, label, "nil")
        case nil: return false
        }
        return true
    }

    private func target(
        _ word: UInt, _ ownership: StoredField.Ownership
    ) -> ReferenceStorage.Target? {
        switch ownership {
        case .weak: ReferenceStorage.weakTarget(word, in: source)
        case .unowned: ReferenceStorage.unownedTarget(word, in: source)
        case .strong, .unmanaged: word == 0 ? ReferenceStorage.Target.none : .object(word)
        }
    }
}
#endif
