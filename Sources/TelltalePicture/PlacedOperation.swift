#if TELLTALE_AGENT
/// An operation and where it stands: in a queue that the host has shown, or as what another depends on.
package struct PlacedOperation: Sendable {
    /// How far it is.
    package enum State: String, Sendable {
        /// For its dependencies, or for what its own code calls ready.
        case waiting
        case ready, executing, finished
    }

    package var address: UInt
    package var name: String
    /// Its type, where its name isn't already that.
    package var type: String
    package var state: State
    package var isCancelled = false
    /// The name of its queue; nil where it is in none and will never start.
    package var queue: String?
    package var isQueueSuspended = false
    package var dependencies: [UInt] = []

    package init(address: UInt, name: String, type: String, state: State, queue: String?) {
        self.address = address
        self.name = name
        self.type = type
        self.state = state
        self.queue = queue
    }
}
#endif
