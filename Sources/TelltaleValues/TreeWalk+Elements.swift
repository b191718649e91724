#if TELLTALE_AGENT
package import TelltaleProtocol
package import TelltaleRuntime

extension TreeWalk {
    // MARK: Roots

    /// Adds a value.
    package func add(_ view: ValueView, level: Int = 0) -> Bool {
        let plan = made(plans.plan(of: view.type))
        if plan.pointee.kind == .other {
            addNode(reader?.value(view, view.type, isBare: false, label: nil, level: level))
        } else {
            withExtendedLifetime(view.block) {
                let block = Block(view.block, isStable: view.isStable)
                addValue(plan, in: block, at: view.offset, Label(), level: level)
            }
        }
        return true
    }

    /// Adds a value without its format; false if it can't be read so.
    package func add(bare view: ValueView, level: Int) -> Bool {
        let plan = made(plans.plan(of: view.type, isBare: true))
        guard plan.pointee.kind != .other else { return false }
        withExtendedLifetime(view.block) {
            let block = Block(view.block, isStable: view.isStable)
            addValue(plan, in: block, at: view.offset, Label(), level: level)
        }
        return true
    }

    /// Adds an object; `declared` is the type of the reference, which `isBack` says is weak or unowned.
    package func add(
        objectAt address: UInt, declared: Any.Type, level: Int = 0, isBack: Bool = false
    ) -> Bool {
        if !addObject(at: address, Label(), level: level, isBack: isBack) {
            addNode(reader?.object(at: address, declared: declared, label: nil, level: level))
        }
        return true
    }

    /// Adds an object without its format; false if it can't be read so.
    package func add(bareObjectAt address: UInt, level: Int) -> Bool {
        addObject(at: address, Label(), level: level, isBare: true)
    }

    /// Adds a range of a collection's elements, at most `most` of them, as a collection of a type.
    package func add(
        _ range: Range<Int>, most: Int, of storage: ArrayStorage, _ type: Any.Type, wanted: Int,
        level: Int
    ) -> Bool {
        add(
            [range.prefix(most)], wanted: wanted, of: storage, type, all: storage.count,
            level: level)
    }

    /// Adds the elements of an array at some positions, as an array of `count` elements.
    package func add(_ positions: [Int], of count: Int, in storage: ArrayStorage, _ type: Any.Type)
        -> Bool
    {
        // Adjacent elements are read together.
        var ranges: [Range<Int>] = []
        for position in positions {
            if let last = ranges.last, last.upperBound == position {
                ranges[ranges.count - 1] = last.lowerBound..<position + 1
            } else {
                ranges.append(position..<position + 1)
            }
        }
        return add(ranges, wanted: count, of: storage, type, all: count, level: 0)
    }

    private func add(
        _ ranges: [Range<Int>], wanted: Int, of storage: ArrayStorage, _ type: Any.Type, all: Int,
        level: Int
    ) -> Bool {
        guard storage.count <= Int(UInt32.max) else { return false }
        let elements = Elements(
            plan: made(plans.plan(of: storage.element)), first: storage.start ?? 0,
            inline: storage.start == nil ? storage.view : nil, isStable: storage.view.isStable)
        addElements(
            ranges, wanted: wanted, of: elements, plans.name(TypeNames.name(of: type)), Label(),
            all: all, level: level)
        return true
    }

    /// Adds a note to the tree's root.
    package func remark(_ note: String) { tree.note(0, plans.name(note)) }

    /// Marks the tree's root as not fully examined, unless it is already marked as truncated.
    package func cut(_ cut: ValueNode.Cut) {
        guard tree.size > 0, tree.node(at: 0).cut == noName else { return }
        tree.cut(0, plans.name(cut.reason), omitted: UInt64(clamping: cut.omitted ?? 0))
    }

    /// Runs a body during which only some properties of the elements are read. Each property is given by
    /// its path.
    package func wanting<Result>(_ fields: [[String]], _ body: () -> Result) -> Result {
        wanted = parts(of: fields[...].map { $0[...] })
        defer { wanted = nil }
        return body()
    }

    private func parts(of fields: [ArraySlice<String>]) -> [Wanted] {
        var names: [String] = []
        for field in fields {
            if let first = field.first, !names.contains(first) { names.append(first) }
        }
        return names.map { name in
            let below = fields.filter { $0.first == name }.map { $0.dropFirst() }
            return Wanted(step: plans.name(name), parts: parts(of: below))
        }
    }

    // MARK: Arrays

    // A larger count means that the bytes are not an array's.
    private static let mostElements: UInt = 1 << 40
    private static let bytesAtOnce = 65_536
    // The maximum number of unreadable elements that are tried.
    private static let mostUnreadable = 16

    /// The elements of a collection.
    private struct Elements {
        let plan: Plan.Pointer
        /// The address of the element at 0.
        let first: UInt
        /// The collection itself, if the elements are in it.
        var inline: ValueView?
        let isStable: Bool
    }

    /// Adds an array, whose layout is that of swift-6.3.1, 64 bits.
    func addArray(
        _ plan: Plan.Pointer, _ bytes: UnsafeRawPointer, _ label: Label, level: Int,
        isStable: Bool
    ) {
        let object = bytes.loadUnaligned(as: UInt.self)
        var header: (UInt, UInt, count: UInt, capacity: UInt) = (0, 0, 0, 0)
        guard object > 0xFFFF, object & 7 == 0, read(object, &header, 32),
            header.count <= header.capacity >> 1, header.count < Self.mostElements,
            let inner = plan.pointee.inner
        else { return addUnavailable(plan.pointee.type, label) }
        let mask = made(inner).pointee.alignmentMask
        let outer = wanted
        wanted = nil
        defer { wanted = outer }
        let (count, first) = (Int(header.count), object &+ (32 &+ mask) & ~mask)
        addElements(
            [0..<min(count, bounds.elements)], wanted: count,
            of: Elements(plan: inner, first: first, isStable: isStable), plan.pointee.type, label,
            all: count, level: level)
    }

    /// Adds the node of the elements of an array in some ranges, out of `wanted` requested ones.
    private func addElements(
        _ ranges: [Range<Int>], wanted: Int, of elements: Elements, _ type: NameNumber,
        _ label: Label, all: Int, level: Int
    ) {
        if wanted > 0, elements.plan.pointee.kind == .secret { return addMasked(type, label) }
        var node = node(.array, type, label)
        node.value = UInt64(clamping: all)
        node.flags.insert(.hasCount)
        let place = tree.add(node)
        guard wanted > 0 else { return }
        guard showsParts(at: level) else {
            return tree.cut(place, depthCut, omitted: UInt64(wanted))
        }
        var shown = 0
        for range in ranges {
            let before = shown
            readPieces(elements, range, level: level, &shown)
            if shown &- before < range.count { break }
        }
        tree.close(place)
        guard shown < wanted else { return }
        let stop = stop
        tree.cut(
            place, stop == noName ? elementsCut : stop, omitted: UInt64(wanted &- shown))
    }

    /// Adds elements, of which some are copied at a time; counts them in `shown`.
    private func readPieces(
        _ elements: Elements, _ range: Range<Int>, level: Int, _ shown: inout Int
    ) {
        let plan = elements.plan
        let stride = plan.pointee.stride
        let atOnce = max(Self.bytesAtOnce / max(stride, 1), 1)
        var position = range.lowerBound
        var continues = true
        var count = shown
        if let view = elements.inline {
            let block = Block(view.block, isStable: view.isStable)
            for index in range where continues {
                continues = addElement(
                    plan, in: block, at: view.offset &+ index &* stride, index, &count,
                    level: level)
            }
            withExtendedLifetime(view) {}
            shown = count
            return
        }
        while continues, position < range.upperBound, !tree.hasFailed {
            let end = min(position &+ atOnce, range.upperBound)
            let size = (end &- position &- 1) &* stride &+ plan.pointee.size
            withCopy(size) { bytes in
                let address =
                    elements.first &+ UInt(bitPattern: position) &* UInt(bitPattern: stride)
                let block = Block(
                    bytes: read(address, bytes, size) ? UnsafeRawPointer(bytes) : nil, size: size,
                    isStable: elements.isStable)
                for index in position..<end where continues {
                    continues = addElement(
                        plan, in: block, at: (index &- position) &* stride, index, &count,
                        level: level)
                }
            }
            position = end
        }
        shown = count
    }

    /// The label of the element at a position.
    @inline(__always)
    func label(at position: Int) -> Label {
        var label = Label(number: UInt32(truncatingIfNeeded: position), flags: .isElement)
        // The brackets and the digits.
        label.size = 3
        var rest = position
        while rest >= 10 {
            rest /= 10
            label.size &+= 1
        }
        return label
    }

    /// Adds an element; false ends the array.
    @inline(__always)
    private func addElement(
        _ plan: Plan.Pointer, in block: Block, at offset: Int, _ position: Int,
        _ shown: inout Int, level: Int
    ) -> Bool {
        guard stop == noName else { return false }
        let label = label(at: position)
        shown &+= 1
        if block.bytes != nil, !plan.pointee.isScalar {
            within(FlatStep(kind: .position, value: UInt(label.number))) {
                addValue(plan, in: block, at: offset, label, level: level &+ 1)
            }
            return true
        }
        let before = spent
        if let bytes = block.bytes {
            addScalar(plan, bytes + offset, label)
        } else {
            addUnavailable(plan.pointee.type, label)
        }
        if plan.pointee.isScalar {
            spent = before
            spend(112)
        }
        return block.bytes != nil || shown < Self.mostUnreadable
    }
}
#endif
