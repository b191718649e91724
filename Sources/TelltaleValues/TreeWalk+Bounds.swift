#if TELLTALE_AGENT
import TelltaleRuntime
package import TelltaleSystem

extension TreeWalk {
    /// The limits of a read.
    package struct Bounds {
        package var depth = 0
        package var elements = 0
        package var bytes = 0
        package var stringBytes = 0
        package var deadline: MonotonicTime
        /// True if texts are searched for secrets.
        package var masks = true
        package var givesHandles = false
        /// True if only what can't tear is read, because the value has no owner.
        package var isPlain = false
        /// True if an object's parts are repeated at each of its occurrences.
        package var repeats = false
        /// True if the object of a weak or an unowned reference, and one that ``TreeWalkReader/known(_:)`` has a
        /// number for, is shown without its parts.
        package var isBrief = false

        package init(until deadline: MonotonicTime) { self.deadline = deadline }
    }

    /// A step of the path from the start of the walk.
    package enum Step {
        case position(Int)
        case property(String)
        /// A dictionary's key, as a literal.
        case key(String)
    }

    /// A step as it is during the walk: a position, or the number of a name.
    struct FlatStep {
        enum Kind: UInt8 { case position, property, key, unnamed }

        let kind: Kind
        let value: UInt
    }

    /// A requested property, and the requested ones among its own parts.
    struct Wanted {
        let step: NameNumber
        let parts: [Wanted]
    }

    /// A copy of some bytes of the host.
    struct Block {
        /// Nil for bytes that can't be read.
        let bytes: UnsafeRawPointer?
        let size: Int
        /// The object that these bytes are; 0 for others.
        var object: UInt = 0
        /// The copy that has these bytes, kept alive by the caller; nil for a copy of the walk's own.
        var memory: Unmanaged<MemoryBlock>?
        /// True if the host can't write the bytes while they are read.
        var isStable = false
    }

    /// The end of a path, as bytes, at which a walk begins.
    package struct Start {
        package let steps: Int
        package let path: [UInt8]

        package init(steps: Int, path: [UInt8]) {
            self.steps = steps
            self.path = path
        }
    }

    /// The label of a node, its meaning, the size of its text, and the node's note.
    struct Label {
        var number = noName
        var flags: NodeFlags = []
        var size = 0
        var note = noName
    }
}

/// The objects whose parts are in an answer, with their handles: provisional ones of a tree until the tree has
/// its numbers.
///
/// Not thread-safe: it belongs to one read.
package final class ShownObjects {
    /// By the complements of the addresses; 0 for an object without a handle.
    var handles: [UInt: Int32] = [:]

    package init() {}

    /// The handle of an object; an outer nil if the object is not in the answer.
    package subscript(address: UInt) -> Int?? {
        get { handles[~address].map { $0 == 0 ? nil : Int($0) } }
        set { handles[~address] = newValue.map { Int32(clamping: $0 ?? 0) } }
    }
}
#endif
