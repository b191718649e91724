#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// What a command knows of who asked, and how long it may take.
final class CommandContext: Sendable {
    let agent: Agent
    let peer: Peer
    /// By which what is held for its client is known.
    let connection: UInt64
    /// When the request came.
    let began: MonotonicTime
    let deadline: MonotonicTime
    /// Whether the client said how long it waits.
    let isTimeAsked: Bool
    private let stream: (@Sendable ([String]) -> Bool)?
    /// Tells the client what of the host's code is about to run for it.
    private let announcing: (@Sendable (String) -> Void)?
    private let client: Connection
    /// Set where what was typed may hold a secret, as only the agent can know: the answer says so, and a client
    /// keeps no such line.
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

    /// Asks whether nobody waits for the answer any more: what has not begun by then is not done.
    var isClientGone: @Sendable () -> Bool { { [client] in client.end != nil } }

    var clientEnd: String { (client.end ?? .clientGone).rawValue }

    var ownerDeadline: MonotonicTime { OwnerTime(in: self).deadline }

    /// When a capture has to be done, so that there is time to send what it gave.
    var answerDeadline: MonotonicTime {
        let left = deadline.remaining
        return MonotonicTime.now.advanced(by: left - left / 10)
    }

    /// The most bytes that go ahead in one message.
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
    /// Says that code of the host's is about to run, by its name: where the service ends in it, the client knows
    /// in what.
    func announce(_ code: String) { announcing?(code) }

    /// Captures some parts of the process, in the time that the command has.
    func capture(_ parts: Picture.Parts) -> Picture { capturing(parts).take() }

    func capturing(_ parts: Picture.Parts) -> Capture {
        Capture(parts, of: agent, until: answerDeadline)
    }
}
#endif
