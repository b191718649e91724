#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    /// What a registered name stands for while it is read.
    enum ReadRoot {
        /// An object of the host; whoever reads it keeps it alive so long.
        case object(AnyObject)
        /// The object of a weak reference that stands at an address, as it is when it is read.
        case weak(at: UInt)
        /// A value that a closure of the host's has made.
        case value(Any)
    }
#endif
