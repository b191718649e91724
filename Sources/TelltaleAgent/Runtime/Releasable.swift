#if TELLTALE_AGENT
/// What can be let go at a place that is chosen for it.
protocol Releasable: AnyObject, Sendable {
    /// Lets go of what it holds, here.
    func letGo()
}
#endif
