package import TelltaleProtocol
import TelltaleSystem

/// A request that is sent together with the greeting, which saves a one-shot command one of two
/// round trips.
///
/// It reaches an agent whose name isn't known yet. So it is sent only if there is one candidate,
/// only to the intended user or process, and only if it is harmless: an answer of the wrong process
/// is dropped.
package struct EarlyRequest: Sendable {
    /// The number that it has on every connection: the one after the greeting's.
    static let number: Int64 = 2

    let request: Request
    let limit: Duration?
    let line: String
    private var uid: UInt32?
    private var pid: Int32?

    /// The same, sent to none but agents of a user.
    func meant(forUser uid: UInt32) -> EarlyRequest {
        var copy = self
        copy.uid = uid
        return copy
    }

    /// The same, sent to none but a process.
    func meant(forProcess pid: Int32) -> EarlyRequest {
        var copy = self
        copy.pid = pid
        return copy
    }

    /// Returns whether the listening process, as the kernel reports it, is the intended one.
    func isMeant(for peer: PeerCredentials) -> Bool {
        (uid.map { $0 == peer.uid } ?? true) && (pid.map { $0 == peer.pid } ?? true)
    }

    /// nil for a command that must wait for the handshake.
    package init?(_ request: Request, limit: Duration?) {
        guard request.isHarmless else { return nil }
        self.request = request
        self.limit = limit
        let timeout = RequestTimeout(of: request, limit: limit)
        line =
            RPCRequest(
                id: .integer(Self.number), method: request.method,
                params: timeout.parameters(of: request)
            ).line
    }
}
