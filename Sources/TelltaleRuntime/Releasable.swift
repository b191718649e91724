#if TELLTALE_AGENT
/// An object that holds resources which can be released on a thread chosen for it.
package protocol Releasable: AnyObject, Sendable {
    /// Releases the held resources on the calling thread.
    func letGo()
}
#endif
