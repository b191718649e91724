import TelltaleClient
import TelltaleProtocol
import TelltaleSystem

/// The session's connection, which can be lost and made again.
final class AgentLink {
    private var connection: AgentConnection?
    private let reconnect: Session.Reconnect
    private let timeout: Duration
    /// The agent's greeting when it was last reached.
    private(set) var hello: HelloAnswer
    /// The pid by which the agent was last known here.
    private(set) var pid: Int32
    /// The agent's user, if it isn't this user.
    private(set) var otherUser: String?
    private var location: AgentLocation

    /// `timeout`: how long the agent may take for its handshake at the old place.
    init(
        _ connection: AgentConnection, timeout: Duration, reconnect: @escaping Session.Reconnect
    ) {
        self.connection = connection
        self.timeout = timeout
        self.reconnect = reconnect
        hello = connection.hello
        pid = connection.pid
        location = connection.location
        otherUser = connection.otherUser
    }

    /// Indicates that the last try to reach the agent failed.
    private(set) var isLost = false

    /// Makes the connection again if it is gone: one try, at the old place and then by the target.
    /// Says where it is another process now.
    func restore() throws(CommandFailure) -> String? {
        if let connection, connection.isOpen { return nil }
        connection = nil
        let made: AgentConnection
        do throws(CommandFailure) {
            made = try reach()
        } catch {
            isLost = true
            throw CommandFailure(
                error.code, "\(hello.name)(\(pid)) is lost: \(error.message)",
                hint: (error.hint.map { $0 + "\n" } ?? "")
                    + "this session connects again when the service is back; `quit` leaves")
        }
        defer { take(made) }
        guard made.hello.startTicks != hello.startTicks || made.hello.pid != hello.pid else {
            return isLost ? "\(made.title) is back" : nil
        }
        return "\(hello.name)(\(pid)) has ended; connected to \(made.title)"
    }

    private func reach() throws(CommandFailure) -> AgentConnection {
        // An idle connection gives way to a newcomer: the same agent is then still where it was.
        if FileFacts.exists(location.path),
            let same = try? AgentConnection(
                connectingTo: location, deadline: .now.advanced(by: timeout))
        {
            return same
        }
        return try reconnect().get()
    }

    private func take(_ made: AgentConnection) {
        connection = made
        hello = made.hello
        pid = made.pid
        location = made.location
        otherUser = made.otherUser
        isLost = false
    }

    /// Runs `body` on the connection, which is given up if it broke or an answer is still under way.
    func use<Result>(
        _ body: (AgentConnection) throws(CommandFailure) -> Result
    ) throws(CommandFailure) -> Result {
        guard let connection else {
            throw CommandFailure(.unreachable, "\(hello.name)(\(pid)) is lost")
        }
        do throws(CommandFailure) {
            return try body(connection)
        } catch {
            if connection.isBroken {
                connection.hangUp()
                self.connection = nil
                isLost = error.code == .unreachable
            }
            throw error
        }
    }

    /// The connection if it is open, for requests that are not worth a new one.
    var current: AgentConnection? { connection }
}
