/// The location of an agent's socket.
package struct AgentLocation: Sendable, Hashable {
    /// The path by which it is opened here.
    package var path: String
    /// The owner of its directory, who may be at the other end; `nil` if the user named the socket
    /// himself.
    package var owner: UInt32?

    package init(path: String, owner: UInt32? = nil) {
        self.path = path
        self.owner = owner
    }
}
