#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleRuntime

/// The way in which C reads values of a type.
package enum PlanShape {
    /// C does not read the value: Swift does.
    case other
    /// Secret: never shown.
    case secret
    case integer, natural, truth, pointer
    /// A number that Swift formats.
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

    fileprivate var parts: [PlanPart]? {
        switch self {
        case .enumeration(let parts), .structure(let parts), .tuple(let parts), .object(let parts):
            parts
        default: nil
        }
    }

    fileprivate var kind: CTelltalePlanKind {
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
        case .object: .class
        case .reference: .reference
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
    package var isMasked = false
    /// True if Swift reads the part.
    package var isOther = false

    package init(
        name: String, step: String, type: Any.Type?, offset: Int = 0, isMasked: Bool = false,
        isOther: Bool = false
    ) {
        self.name = name
        self.step = step
        self.type = type
        self.offset = offset
        self.isMasked = isMasked
        self.isOther = isOther
    }
}

extension TypePlans {
    /// The maximum number of parts; a value with more is read in Swift.
    static let mostParts = 4096
    /// The maximum size of a value; a larger one is read in Swift.
    private static let largest = 1 << 30

    typealias Plan = UnsafeMutablePointer<CTelltalePlan>

    /// Returns true if a type's value witness can read the case of a value in place, at an address aligned
    /// to eight bytes.
    package static func tellsCases(_ type: Any.Type) -> Bool {
        let metadata = TypeMetadata(type)
        return metadata.alignmentMask <= 7 && metadata.hasTag
    }

    /// Fills in a plan from a type's shape.
    func fill(_ plan: Plan, _ shape: PlanShape) {
        let type = unsafeBitCast(plan.pointee.metadata, to: Any.Type.self)
        let metadata = TypeMetadata(type)
        let isClass = metadata.kind == .classType
        let size = isClass ? metadata.instanceSize : max(metadata.size, metadata.stride)
        plan.pointee.type = name(TypeNames.name(of: type))
        plan.pointee.size = UInt32(clamping: isClass ? 8 : metadata.size)
        plan.pointee.stride = UInt32(clamping: isClass ? 8 : metadata.stride)
        plan.pointee.alignment_mask = isClass ? 7 : UInt32(metadata.alignmentMask)
        plan.pointee.object_size = isClass ? UInt32(clamping: size) : 0
        let isKnown =
            size <= (isClass ? MemoryBlock.largest : Self.largest) && fillParts(plan, shape)
        plan.pointee.kind = isKnown ? shape.kind : .other
        switch shape {
        case .integer, .natural, .truth, .pointer, .number: plan.pointee.has_scalars = isKnown
        default: break
        }
    }

    private func fillParts(_ plan: Plan, _ shape: PlanShape) -> Bool {
        switch shape {
        case .optional(let type), .array(let type):
            plan.pointee.inner = self.plan(of: type)
            return plan.pointee.inner != nil
        default: break
        }
        guard let parts = shape.parts else { return true }
        guard parts.count <= Self.mostParts,
            let room = ctelltale_plan_parts(plan, UInt32(parts.count))
        else { return false }
        for (index, part) in parts.enumerated() {
            room[index].name = name(part.name)
            room[index].step = name(part.step)
            room[index].type = name(part.type.map(TypeNames.name) ?? "")
            room[index].offset = UInt32(clamping: part.offset)
            room[index].is_masked = part.isMasked
            room[index].plan = part.type.flatMap(self.plan)
            let hasPlan = part.type == nil || room[index].plan != nil
            room[index].is_other = part.isOther || !hasPlan || part.offset < 0
        }
        return true
    }
}
#endif
