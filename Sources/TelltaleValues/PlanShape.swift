#if TELLTALE_AGENT
package import TelltaleRuntime

/// The way in which a walk reads values of a type.
package struct PlanShape {
    let kind: PlanKind
    /// The wrapped type of an optional, the type of an array's or a set's elements, or of a dictionary's keys.
    let inner: Any.Type?
    /// The type of a dictionary's values.
    let value: Any.Type?
    /// The stored properties, or the cases in the order of their tags.
    let parts: [PlanPart]

    package init(
        _ kind: PlanKind, inner: Any.Type? = nil, value: Any.Type? = nil, parts: [PlanPart] = []
    ) {
        self.kind = kind
        self.inner = inner
        self.value = value
        self.parts = parts
    }

    /// For values that the reader reads.
    package static let other = PlanShape(.other)
}

/// A stored property, or a case of an enum.
package struct PlanPart {
    package let name: String
    /// The name in a path.
    package let step: String
    /// The type of a property or of a case's payload; nil for a case without payload.
    package let type: Any.Type?
    package var offset = 0
    package var ownership = StoredField.Ownership.strong
    package var isMasked = false
    package var isVariable = false
    /// True if the reader reads the part.
    package var isOther = false

    package init(_ name: String, step: String, type: Any.Type?) {
        self.name = name
        self.step = step
        self.type = type
    }
}

extension TypePlans {
    /// The maximum number of parts; the reader reads a value with more.
    static let mostParts = 4096
    /// The maximum size of a value; the reader reads a larger one.
    private static let largest = 1 << 30

    /// Returns true if a type's value witness can read the case of a value in place, at an address aligned
    /// to eight bytes.
    package static func tellsCases(_ type: Any.Type) -> Bool {
        let metadata = TypeMetadata(type)
        return metadata.alignmentMask <= 7 && metadata.tagWitness != nil
    }

    /// Fills in a plan from a type's shape.
    func fill(_ plan: Plan.Pointer, _ shape: PlanShape, leavesOut: Bool) {
        let type = plan.pointee.swiftType
        let metadata = TypeMetadata(type)
        let isClass = metadata.kind == .classType
        let size = isClass ? metadata.instanceSize : max(metadata.size, metadata.stride)
        plan.pointee.type = name(TypeNames.name(of: type))
        plan.pointee.size = isClass ? 8 : metadata.size
        plan.pointee.stride = isClass ? 8 : metadata.stride
        plan.pointee.alignmentMask = isClass ? 7 : metadata.alignmentMask
        plan.pointee.objectSize = size
        plan.pointee.isPlainWord = metadata.isPlainWord
        plan.pointee.isNoncopyable = metadata.isNoncopyable
        plan.pointee.leavesOut = leavesOut
        plan.pointee.tag = metadata.tagWitness
        plan.pointee.project = metadata.projectWitness
        let parts = shape.parts
        guard size >= 0, size <= (isClass ? MemoryBlock.largest : Self.largest),
            parts.count <= Self.mostParts
        else {
            plan.pointee.kind = .other
            return
        }
        plan.pointee.parts.deallocate()
        plan.pointee.parts = .allocate(capacity: parts.count)
        _ = plan.pointee.parts.initialize(from: parts.map(part))
        plan.pointee.inner = shape.inner.map { self.plan(of: $0) }
        plan.pointee.value = shape.value.map { self.plan(of: $0) }
        plan.pointee.kind =
            switch shape.kind {
            case .number where type == Double.self: .double
            case .number where type == Float.self: .float
            default: shape.kind
            }
    }

    private func part(_ part: PlanPart) -> Plan.Part {
        let name = name(part.name)
        return Plan.Part(
            label: .init(number: name, size: self.name(name).bytes.count),
            step: self.name(part.step),
            type: self.name(part.type.map(TypeNames.name) ?? ""), offset: part.offset,
            plan: part.type.map { plan(of: $0) }, ownership: part.ownership,
            isMasked: part.isMasked, isVariable: part.isVariable,
            isOther: part.isOther || part.offset < 0)
    }
}
#endif
