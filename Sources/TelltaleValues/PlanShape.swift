#if TELLTALE_AGENT
package import TelltaleRuntime

/// The way in which a walk reads values of a type.
package enum PlanShape {
    /// A walk does not read the value: its reader does.
    case other
    /// Secret: never shown.
    case secret
    case integer, natural, truth, pointer
    /// Another number.
    case number
    case string
    case optional(wrapped: Any.Type)
    case array(element: Any.Type)
    /// The cases, ordered by their tags.
    case enumeration([PlanPart])
    case structure([PlanPart])
    case tuple([PlanPart])
    case object([PlanPart])
    /// A reference to an object of any class.
    case reference
    /// A value with its own type.
    case existential

    fileprivate var parts: [PlanPart]? {
        switch self {
        case .enumeration(let parts), .structure(let parts), .tuple(let parts), .object(let parts):
            parts
        default: nil
        }
    }

    fileprivate var kind: Plan.Kind {
        switch self {
        case .other: .other
        case .secret: .secret
        case .integer: .integer
        case .natural: .natural
        case .truth: .truth
        case .pointer: .pointer
        case .number: .number
        case .string: .string
        case .optional: .optional
        case .array: .array
        case .enumeration: .enumeration
        case .structure: .structure
        case .tuple: .tuple
        case .object: .object
        case .reference: .reference
        case .existential: .existential
        }
    }
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
    /// True if the reader reads the part.
    package var isOther = false

    package init(
        name: String, step: String, type: Any.Type?, offset: Int = 0,
        ownership: StoredField.Ownership = .strong, isMasked: Bool = false, isOther: Bool = false
    ) {
        self.name = name
        self.step = step
        self.type = type
        self.offset = offset
        self.ownership = ownership
        self.isMasked = isMasked
        self.isOther = isOther
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
    func fill(_ plan: Plan.Pointer, _ shape: PlanShape) {
        let type = plan.pointee.swiftType
        let metadata = TypeMetadata(type)
        let isClass = metadata.kind == .classType
        let size = isClass ? metadata.instanceSize : max(metadata.size, metadata.stride)
        plan.pointee.type = name(TypeNames.name(of: type))
        plan.pointee.size = isClass ? 8 : metadata.size
        plan.pointee.stride = isClass ? 8 : metadata.stride
        plan.pointee.alignmentMask = isClass ? 7 : metadata.alignmentMask
        plan.pointee.objectSize = size
        plan.pointee.tag = metadata.tagWitness
        plan.pointee.project = metadata.projectWitness
        let parts = shape.parts ?? []
        guard size >= 0, size <= (isClass ? MemoryBlock.largest : Self.largest),
            parts.count <= Self.mostParts
        else {
            plan.pointee.kind = .other
            return
        }
        plan.pointee.parts.deallocate()
        plan.pointee.parts = .allocate(capacity: parts.count)
        _ = plan.pointee.parts.initialize(from: parts.map(part))
        switch shape {
        case .optional(let inner), .array(let inner): plan.pointee.inner = self.plan(of: inner)
        default: break
        }
        plan.pointee.kind =
            switch shape {
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
            plan: part.type.map(plan), ownership: part.ownership, isMasked: part.isMasked,
            isOther: part.isOther || part.offset < 0)
    }
}
#endif
