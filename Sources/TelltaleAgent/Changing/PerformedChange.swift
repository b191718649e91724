#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import TelltaleAgentProtocol

    /// A change that was made, and what is needed to put it back.
    ///
    /// It keeps the old and the new value alive: an object that was replaced lives until the change
    /// is dropped, and an array that is still in use is copied by the host's next change to it.
    /// - Important: Letting the last copy go may free a value of the host's, which may run its code.
    ///
    /// `@unchecked`: the two values are read only on the owner of the object that they stand in,
    /// where ``ValueWriter`` is called; elsewhere they are only kept and released.
    struct PerformedChange: @unchecked Sendable {
        /// The value before, as it would be typed; `<masked>` for a secret.
        let oldText: String
        /// The value after, as it would be typed; `<masked>` for a secret.
        let newText: String
        /// What of the host did not notice the change, where that is known.
        let note: String?

        let rootName: String
        let path: [ValuePath.Component]
        /// The address of the object that holds the value.
        let object: UInt
        /// nil where a dictionary had no such key.
        let old: Any?
        let new: Any?
    }
#endif
