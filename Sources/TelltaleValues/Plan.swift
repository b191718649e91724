#if TELLTALE_AGENT
import TelltaleRuntime

/// A name by its number; the same text has one number in one set of plans.
typealias NameNumber = UInt32

/// The number of no name.
let noName = NameNumber.max

/// The kind of reader for the values of a type.
package enum PlanKind: UInt8 {
    /// Not known yet: the type's shape is asked for first.
    case unmade
    /// Read by the agent's reader of special kinds.
    case other
    /// Never shown.
    case secret
    case integer, natural, truth, pointer, double, float
    /// A number that the runtime formats.
    case number
    case string, optional, enumeration, structure, tuple
    /// A reference to an object of any class.
    case reference
    /// A value with its own type: `Any`, `any P`, `any Error`.
    case existential
    case object, array, set, dictionary
    case function
}

/// The cached facts about a type by which its values are read.
///
/// Each is a block of its own, and the type's address is eight bytes off the alignment of objects there, so that a
/// search of the heap takes no plan for an object.
struct Plan {
    typealias Pointer = UnsafeMutablePointer<Plan>

    /// A stored property, or a case of an enum.
    struct Part {
        let label: TreeWalk.Label
        /// The name in a path: `0` for `.0`.
        let step: NameNumber
        let type: NameNumber
        let offset: Int
        let plan: Plan.Pointer?
        /// `strong` for all but weak and unowned references.
        let ownership: StoredField.Ownership
        let isMasked: Bool
        /// True if the host may write the part of an object while it is read.
        let isVariable: Bool
        /// True if the agent's reader reads the part.
        let isOther: Bool
    }

    var kind = PlanKind.unmade
    var type = noName
    let metadata: UnsafeRawPointer
    /// True for the plan by a type's own parts, without the type's format.
    let isBare: Bool
    /// True for a trivial word, which can be read while the host writes it.
    var isPlainWord = false
    var isNoncopyable = false
    /// True if some parts of the type are never shown.
    var leavesOut = false
    var size = 0
    var stride = 1
    var alignmentMask: UInt = 0
    /// The size of an instance of a class.
    var objectSize = 0
    var tag: TypeMetadata.TagWitness?
    var project: TypeMetadata.ProjectWitness?
    var parts = UnsafeMutableBufferPointer<Part>(start: nil, count: 0)
    /// The plan of an optional's wrapped value, of an array's or a set's elements, or of a dictionary's keys.
    var inner: Plan.Pointer?
    /// The plan of a dictionary's values.
    var value: Plan.Pointer?

    init(_ metadata: UnsafeRawPointer, isBare: Bool) {
        self.metadata = metadata
        self.isBare = isBare
    }

    var swiftType: Any.Type { unsafeBitCast(metadata, to: Any.Type.self) }

    /// True for numbers, which need no step on a path.
    var isScalar: Bool {
        switch kind {
        case .integer, .natural, .truth, .pointer, .double, .float, .number: true
        default: false
        }
    }

    /// The number of an enum's case, from a copy of its bytes.
    @inline(__always)
    func tag(of value: UnsafeRawPointer) -> Int {
        tag.map { Int($0(UnsafeMutableRawPointer(mutating: value), metadata)) } ?? 0
    }
}
#endif
