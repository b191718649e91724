#if TELLTALE_AGENT
import TelltaleProtocol
package import TelltaleRuntime

extension TreeWalk {
    /// A dictionary's key as it is shown, typed and judged by the reader.
    package struct JudgedKey {
        let label: String
        let step: Step?
        let isSecret: Bool
        let isPairName: Bool
        let hidesSomething: Bool

        /// Creates a judged key.
        ///
        /// - Parameters:
        ///   - label: The label of the entry.
        ///   - step: The step to the entry; nil if no path can name it.
        ///   - isSecret: True if the entry's value is a secret by the key.
        ///   - isPairName: True if the entry's value may be the name of another entry's.
        ///   - hidesSomething: True if a part of the key is masked.
        package init(
            label: String, step: Step?, isSecret: Bool, isPairName: Bool, hidesSomething: Bool
        ) {
            self.label = label
            self.step = step
            self.isSecret = isSecret
            self.isPairName = isPairName
            self.hidesSomething = hidesSomething
        }
    }

    /// A judged key in flat form.
    struct Key {
        let label: Label
        let step: FlatStep
        let isSecret: Bool
        let isPairName: Bool
        let hidesSomething: Bool
    }

    /// The types of a key and of the entry's value, and the key's number, case, or text by its number: the
    /// same key is judged once for all dictionaries.
    struct KeyIdentity: Hashable {
        // The complements of the addresses: a search of the heap would find the plain words.
        private let type, valueType: UInt
        private let value: UInt64

        init(_ key: Plan.Pointer, of value: Plan.Pointer, _ number: UInt64) {
            type = ~UInt(bitPattern: key.pointee.metadata)
            valueType = ~UInt(bitPattern: value.pointee.metadata)
            self.value = number
        }
    }

    /// A set or a dictionary.
    private struct Table {
        let type: Any.Type
        let object: UInt
        let layout: HashLayout
        let key: Plan.Pointer
        /// Nil for a set.
        let value: Plan.Pointer?
        let isStable: Bool
    }

    /// Some adjacent buckets.
    private struct Buckets {
        let keys: Block
        let values: Block
    }

    // MARK: Roots

    /// Adds a set or a dictionary, with at most `most` of the entries at some positions.
    package func add(
        _ storage: HashStorage, _ type: Any.Type, most: Int, level: Int,
        where isWanted: @escaping (Int) -> Bool
    ) -> Bool {
        let table = Table(
            type: type, object: storage.object, layout: storage.layout,
            key: made(plans.plan(of: storage.key)),
            value: storage.value.map { made(plans.plan(of: $0)) }, isStable: storage.isStable)
        addEntries(
            of: table, plans.name(TypeNames.name(of: type)), Label(), most: most, level: level,
            where: isWanted)
        return true
    }

    /// Adds a set or a dictionary.
    func addTable(
        _ plan: Plan.Pointer, _ bytes: UnsafeRawPointer, _ label: Label, level: Int,
        isStable: Bool
    ) {
        let object = bytes.loadUnaligned(as: UInt.self)
        var header = HashLayout.noHeader
        guard object > 0xFFFF, object & 7 == 0, read(object, &header, HashLayout.headerSize),
            let layout = HashLayout(header, at: object, hasValues: plan.pointee.value != nil),
            let key = plan.pointee.inner
        else { return addUnavailable(plan.pointee.type, label) }
        let table = Table(
            type: plan.pointee.swiftType, object: object, layout: layout, key: made(key),
            value: plan.pointee.value.map { made($0) }, isStable: isStable)
        addEntries(
            of: table, plan.pointee.type, label, most: bounds.elements, level: level, where: nil)
    }

    // MARK: Entries

    // Chosen entries are shown whatever the depth.
    private func addEntries(
        of table: Table, _ type: NameNumber, _ label: Label, most: Int, level: Int,
        where isWanted: ((Int) -> Bool)?
    ) {
        let count = table.layout.count
        var node = node(table.value == nil ? .set : .dictionary, type, label)
        node.value = UInt64(clamping: count)
        node.flags.insert(.hasCount)
        let place = tree.add(node)
        guard count > 0 else { return }
        guard isWanted != nil || showsParts(at: level) else {
            return tree.cut(place, depthCut, omitted: UInt64(count))
        }
        let outer = wanted
        wanted = nil
        defer { wanted = outer }
        let secrets = secretPositions(in: table)
        var shown = 0
        forEachEntry(of: table) { position, bucket, buckets in
            guard shown < most, stop == noName else { return false }
            guard isWanted?(position) ?? true else { return true }
            shown &+= 1
            addEntry(
                of: table, at: position, bucket, buckets, level: level,
                isSecret: secrets.contains(position))
            return true
        }
        tree.close(place)
        guard shown < count else { return }
        let reason = stop == noName ? elementsCut : stop
        tree.cut(place, reason, omitted: UInt64(count &- shown))
    }

    private func addEntry(
        of table: Table, at position: Int, _ bucket: Int, _ buckets: Buckets, level: Int,
        isSecret: Bool
    ) {
        guard let value = table.value else {
            return within(FlatStep(kind: .position, value: UInt(position))) {
                addValue(
                    table.key, in: buckets.keys, at: bucket &* table.key.pointee.stride,
                    label(at: position), level: level &+ 1)
            }
        }
        let key = key(of: table, value, bucket, buckets)
        spend(96 &+ key.label.size)
        if key.hidesSomething { hides() }
        if isSecret || key.isSecret { return addMasked(value.pointee.type, key.label) }
        guard buckets.values.bytes != nil else {
            return addUnavailable(value.pointee.type, key.label)
        }
        within(key.step) {
            addValue(
                value, in: buckets.values, at: bucket &* value.pointee.stride, key.label,
                level: level &+ 1)
        }
    }

    /// Calls a body with the entries in storage order: the position, the index of the bucket in a copy of
    /// some buckets, and the copy. The body returns false to stop.
    private func forEachEntry(of table: Table, _ body: (Int, Int, Buckets) -> Bool) {
        let (layout, key) = (table.layout, table.key.pointee)
        let (valueSize, valueStride) =
            table.value.map { ($0.pointee.size, $0.pointee.stride) } ?? (0, 0)
        let atOnce = min(max(1, Self.tableBytesAtOnce / max(key.stride, valueStride, 1)), 4096)
        var (position, start) = (0, 0)
        var continues = true
        while continues, start < layout.bucketCount, position < layout.count, !tree.hasFailed {
            let count = min(atOnce, layout.bucketCount &- start)
            let word = start / 64
            let bitsSize = ((start &+ count &+ 63) / 64 &- word) &* 8
            let keysSize = (count &- 1) &* key.stride &+ key.size
            let valuesSize = (count &- 1) &* valueStride &+ valueSize
            let valuesStart = (bitsSize &+ keysSize &+ 15) & ~15
            withCopy(valuesStart &+ valuesSize) { copy in
                let (keys, values) = (copy + bitsSize, copy + valuesStart)
                continues =
                    read(layout.bitmap &+ UInt(word &* 8), copy, bitsSize)
                    && read(layout.keys &+ UInt(start &* key.stride), keys, keysSize)
                guard continues else { return }
                let hasValues =
                    valuesSize > 0
                    ? read(layout.values &+ UInt(start &* valueStride), values, valuesSize) : true
                let buckets = Buckets(
                    keys: Block(bytes: keys, size: keysSize, isStable: table.isStable),
                    values: Block(
                        bytes: hasValues ? values : nil, size: valuesSize,
                        isStable: table.isStable))
                for bucket in 0..<count where continues {
                    let bit = start &+ bucket
                    let bits = copy.load(
                        fromByteOffset: (bit / 64 &- word) &* 8, as: UInt64.self)
                    guard bits & 1 << UInt64(bit % 64) != 0 else { continue }
                    continues = body(position, bucket, buckets)
                    position &+= 1
                }
            }
            start &+= count
        }
    }

    private static let tableBytesAtOnce = 32_768

    // MARK: Keys

    /// The positions of the entries of a small dictionary that are secrets by the name stored in another
    /// entry.
    private func secretPositions(in table: Table) -> Set<Int> {
        guard bounds.masks, let value = table.value,
            (2...NameValuePair.mostEntries).contains(table.layout.count)
        else { return [] }
        var hasName = false
        forEachEntry(of: table) { _, bucket, buckets in
            hasName = key(of: table, value, bucket, buckets).isPairName
            return !hasName
        }
        guard hasName else { return [] }
        let view = withUnsafeBytes(of: table.object) {
            let block = Block(bytes: $0.baseAddress, size: 8, isStable: table.isStable)
            return self.view(table.type, block, 0, count: 8)
        }
        return view.flatMap { reader?.secretPositions(in: $0) } ?? []
    }

    private func key(
        of table: Table, _ value: Plan.Pointer, _ bucket: Int, _ buckets: Buckets
    ) -> Key {
        let plan = table.key
        let offset = bucket &* plan.pointee.stride
        func judge() -> Key {
            self.judge(
                view(plan.pointee.swiftType, buckets.keys, offset, count: plan.pointee.size),
                value)
        }
        guard let bytes = buckets.keys.bytes, let number = number(of: plan, bytes + offset) else {
            return judge()
        }
        return plans.key(KeyIdentity(plan, of: value, number), judge)
    }

    /// The number of an integer, of a case without payload, or of a string's text; nil for other keys.
    @inline(__always)
    private func number(of plan: Plan.Pointer, _ bytes: UnsafeRawPointer) -> UInt64? {
        switch plan.pointee.kind {
        case .integer, .natural:
            var word: UInt64 = 0
            withUnsafeMutableBytes(of: &word) {
                $0.copyMemory(
                    from: UnsafeRawBufferPointer(start: bytes, count: min(plan.pointee.size, 8)))
            }
            return word
        case .enumeration:
            let tag = plan.pointee.tag(of: bytes)
            guard tag < plan.pointee.parts.count, plan.pointee.parts[tag].plan == nil,
                !plan.pointee.parts[tag].isOther
            else { return nil }
            return UInt64(tag)
        case .string:
            guard let text = leafText(of: bytes), text.count <= Self.longestKey else { return nil }
            return UInt64(plans.name(text))
        default: return nil
        }
    }

    /// The maximum size of a text that is judged once for all dictionaries.
    private static let longestKey = 256

    private func judge(_ view: ValueView?, _ value: Plan.Pointer) -> Key {
        guard let view, let key = reader?.key(view, valueType: value.pointee.swiftType) else {
            return Key(
                label: label(of: "[?]"), step: FlatStep(kind: .unnamed, value: 0), isSecret: true,
                isPairName: false, hidesSomething: false)
        }
        let step: FlatStep =
            switch key.step {
            case .position(let index): FlatStep(kind: .position, value: UInt(index))
            case .property(let name): FlatStep(kind: .property, value: UInt(plans.name(name)))
            case .key(let literal): FlatStep(kind: .key, value: UInt(plans.name(literal)))
            case nil: FlatStep(kind: .unnamed, value: 0)
            }
        return Key(
            label: label(of: key.label), step: step, isSecret: key.isSecret,
            isPairName: key.isPairName, hidesSomething: key.hidesSomething)
    }
}
#endif
