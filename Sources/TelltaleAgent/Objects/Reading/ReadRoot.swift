#if TELLTALE_AGENT
/// What a registered name stands for while it is read.
enum ReadRoot {
    /// An object of the host. Nobody keeps it alive: if it goes, what is read is of no use.
    case object(at: UInt)
    /// A value that a closure of the host's has made.
    case value(Any)
}
#endif
