#if TELLTALE_AGENT
import TelltaleProtocol

/// A change that was made, and what is needed to put it back.
///
/// It keeps the old and the new value alive: an object that was replaced lives until the change
/// is dropped, and an array that is still in use is copied by the host's next change to it.
///
/// The two values are read only on the owner of the object that they stand in, where
/// ``ValueWriter`` is called; wherever the last copy is let go, they are let go on that owner, unless
/// nobody can notice where.
struct PerformedChange: Sendable {
    /// What stood in a place before and after; nil where a dictionary had no such key.
    struct Values {
        let old: Any?
        let new: Any?

        /// About how much memory they keep. On the owner.
        fileprivate var bytes: Int { KeptSize.of(old, new) }

        /// What is kept of them, and let go on `owner` where that may run code of the host's.
        fileprivate func held(of owner: Owner) -> HeldValue<Values> {
            let isSilent = SilentRelease.isSure(of: old) && SilentRelease.isSure(of: new)
            return HeldValue(self, of: owner, isSilent ? .anywhere : .toOwner)
        }
    }

    /// The value before, as it would be typed; `<masked>` for a secret.
    let oldText: String
    /// The value after, as it would be typed; `<masked>` for a secret.
    let newText: String
    /// What of the host did not notice the change, where that is known.
    let note: String?

    let rootName: String
    let path: [ValuePath.Component]
    let object: UInt
    let values: HeldValue<Values>
    /// About how much memory they keep.
    let bytes: Int

    /// To be made on the owner of what is kept of the values.
    init(
        oldText: String, newText: String, note: String?, rootName: String,
        path: [ValuePath.Component], object: UInt, values: Values, of owner: Owner
    ) {
        (self.oldText, self.newText, self.note) = (oldText, newText, note)
        (self.rootName, self.path, self.object) = (rootName, path, object)
        bytes = values.bytes
        self.values = values.held(of: owner)
    }

    /// The value before. On the owner.
    var old: Any? { values.value?.old }
    /// The value after. On the owner.
    var new: Any? { values.value?.new }
}
#endif
