#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// The context of a command: its client and its time limit.
final class CommandContext: Sendable {
    let agent: Agent
    let peer: Peer
    /// The client as the author of a change.
    var author: Peer { client.author }
    /// Identifies the queues and pending changes that are held for the client.
    let connection: UInt64
    /// The time at which the request arrived.
    let began: MonotonicTime
    let deadline: MonotonicTime
    /// True if the client has set the time limit.
    let isTimeAsked: Bool
    private let stream: (@Sendable ([String]) -> Bool)?
    /// Tells the client which host code is about to run for it.
    private let announcing: (@Sendable (String) -> Void)?
    private let client: Connection
    /// Set if the client's input may contain a secret, as only the agent can know. The answer then says so,
    /// and the client doesn't store the line in its history.
    let bringsSecret = DoneFlag()

    init(
        _ connection: Connection, began: MonotonicTime = .now, deadline: Duration,
        isTimeAsked: Bool = false, announcing: (@Sendable (String) -> Void)? = nil,
        stream: (@Sendable ([String]) -> Bool)? = nil
    ) {
        agent = connection.agent
        peer = connection.peer
        client = connection
        self.began = began
        self.connection = connection.identifier
        self.deadline = began.advanced(by: deadline)
        self.isTimeAsked = isTimeAsked
        self.stream = stream
        self.announcing = announcing
    }

    /// Returns true once the client has disconnected: work that has not begun by then is not started.
    var isClientGone: @Sendable () -> Bool { { [client] in client.end != nil } }

    var clientEnd: String { (client.end ?? .clientGone).rawValue }

    var ownerDeadline: MonotonicTime { OwnerTime(in: self).deadline }

    /// The deadline of a capture, which leaves a tenth of the remaining time to send the result.
    var answerDeadline: MonotonicTime {
        let left = deadline.remaining
        return MonotonicTime.now.advanced(by: left - left / 10)
    }

    /// The maximum number of bytes that are sent ahead in one message.
    private static let largestPart = 65_536

    /// Sends lines ahead of the answer, in parts of a bounded size.
    func send(_ lines: [String]) {
        guard let stream else { return }
        var part: [String] = []
        var bytes = 0
        for line in lines {
            if bytes + line.utf8.count > Self.largestPart, !part.isEmpty {
                guard stream(part) else { return }
                part = []
                bytes = 0
            }
            part.append(line)
            bytes += line.utf8.count + 1
        }
        if !part.isEmpty { _ = stream(part) }
    }
}

extension CommandContext {
    /// Announces the host code that is about to run, by its name: if the service crashes in it, the client
    /// knows the cause.
    func announce(_ code: String) { announcing?(code) }

    /// Captures some parts of the process, within the command's time limit.
    func capture(_ parts: Picture.Parts) -> Picture { capturing(parts).take() }

    func capturing(_ parts: Picture.Parts) -> Capture {
        Capture(parts, of: agent, until: answerDeadline)
    }
}
#endif
