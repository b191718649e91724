package import TelltaleProtocol

/// A request that is sent together with the greeting, which saves a one-shot command one of two turns.
///
/// It reaches an agent whose name isn't known yet. So it is sent only where there is one candidate,
/// and only if it changes nothing and runs no code of the host: the answer of the wrong one is dropped.
package struct EarlyRequest: Sendable {
    /// The number that it has on every connection: the one after the greeting's.
    static let number: Int64 = 2

    private static let methods = [
        "get", "show", "status", "objects", "queues", "actions", "changes", "info", "stuck",
        "threads", "queue", "groups", "semaphores", "timers", "tasks", "actors",
    ]

    let request: Request
    let limit: Duration?
    let line: String

    /// - Parameters:
    ///   - request: The command; nil is made of one that must wait for the handshake.
    ///   - limit: How long the owner and the agent may take; nil for the agent's own bounds.
    package init?(_ request: Request, limit: Duration?) {
        guard Self.methods.contains(request.method), request.parameters["describe"] == nil else {
            return nil
        }
        self.request = request
        self.limit = limit
        let patience = Patience(method: request.method, limit: limit)
        line =
            RPCRequest(
                id: .integer(Self.number), method: request.method,
                params: patience.parameters(of: request)
            ).line
    }
}
