/// Where an agent's socket is.
package struct AgentLocation: Sendable, Hashable {
    /// The path by which it is opened here.
    package var path: String
    /// Whose directory it is in, and so who may be at the other end; nil where the user named the
    /// socket himself.
    package var owner: UInt32?

    package init(path: String, owner: UInt32? = nil) {
        self.path = path
        self.owner = owner
    }
}
