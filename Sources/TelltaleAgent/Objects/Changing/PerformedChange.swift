#if TELLTALE_AGENT
import TelltaleProtocol

/// A change that was made, with the values needed to undo it.
///
/// It retains the old and the new value: a replaced object lives until the change is dropped, and an array
/// that is still in use is copied by the host's next change to it.
///
/// The two values are read only on the owner of the object that contains them, where ``ValueWriter`` is
/// called. Wherever the last reference to them is dropped, they are released on that owner, unless their
/// release runs no host code.
struct PerformedChange: Sendable {
    /// The values of a place before and after; `nil` if a dictionary had no such key.
    struct Values {
        let old: Any?
        let new: Any?

        /// The approximate memory the values keep. Called on the owner.
        fileprivate var bytes: Int { KeptSize.of(old, new) }

        /// The values, to be released on `owner` if their release may run host code.
        fileprivate func held(of owner: Owner) -> HeldValue<Values> {
            let isSilent = SilentRelease.isSure(of: old) && SilentRelease.isSure(of: new)
            return HeldValue(self, of: owner, isSilent ? .anywhere : .toOwner)
        }
    }

    /// The old value, as it would be typed; `<masked>` for a secret.
    let oldText: String
    /// The new value, as it would be typed; `<masked>` for a secret.
    let newText: String
    /// A remark on host code that did not notice the change, if that is known.
    let note: String?

    let rootName: String
    let path: [ValuePath.Component]
    let object: UInt
    let values: HeldValue<Values>
    /// The approximate memory the values keep.
    let bytes: Int
    /// True if the value was this one already, and nothing was written.
    var isUnchanged = false

    /// Makes a change. Called on the owner of the values.
    init(
        oldText: String, newText: String, note: String?, rootName: String,
        path: [ValuePath.Component], object: UInt, values: Values, of owner: Owner
    ) {
        (self.oldText, self.newText, self.note) = (oldText, newText, note)
        (self.rootName, self.path, self.object) = (rootName, path, object)
        bytes = values.bytes
        self.values = values.held(of: owner)
    }

    /// Makes the outcome of a change to the value that is there already.
    init(
        keeping text: String, rootName: String, path: [ValuePath.Component], object: UInt,
        of owner: Owner
    ) {
        self.init(
            oldText: text, newText: text, note: nil, rootName: rootName, path: path,
            object: object, values: Values(old: nil, new: nil), of: owner)
        isUnchanged = true
    }

    /// The old value. Read on the owner.
    var old: Any? { values.value?.old }
    /// The new value. Read on the owner.
    var new: Any? { values.value?.new }
}
#endif
