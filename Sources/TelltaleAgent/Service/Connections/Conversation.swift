#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// What a client has sent so far, and how it is talked to.
///
/// One thread at a time has it: that of its connection, the loop's, or the one that took a request over from it.
final class Conversation: @unchecked Sendable {
    var lines: LineSplitter
    var session: (any Session)? { didSet { isMachine = session is MachineSession } }
    /// Whether a program is at the other end.
    private(set) var isMachine = false
    /// A line that has begun must end in time, however its bytes trickle in; between lines a client may think.
    var lineDeadline = MonotonicTime.distantFuture

    /// How many requests in a row were answered at once, with a text that is kept.
    private var quickOnes = 0
    /// How many bytes of the lines the kernel still has.
    var peeked = 0
    /// Whether a peek begins behind those; nil where nobody has asked for that yet.
    var peeksOn: Bool?
    /// Whether the loop's answers are sent at the end of its turn.
    var sendsLater = false
    /// What the loop has not sent yet, or could not, since the client didn't read.
    var unsent: [UInt8] = []

    init(limit: Int) { lines = LineSplitter(limit: limit) }

    /// Whether it asks as those do that one thread answers together, see ``ConnectionLoop``.
    var suitsLoop: Bool { isMachine && quickOnes >= Self.fewestQuickOnes }

    private static let fewestQuickOnes = 8
    private static let quick = Duration.milliseconds(1)

    /// Notes that it has a thread of its own, and has yet to show that it needs none.
    func leftLoop() { quickOnes = 0 }

    /// Notes that a request was answered, and whether with a text that is kept.
    func answered(isKeptText: Bool) { quickOnes = isKeptText ? quickOnes + 1 : 0 }

    /// Notes how long the last request took.
    func tookTime(_ time: Duration) { if time > Self.quick { quickOnes = 0 } }
}

extension Connection {
    /// A request that is being answered.
    struct Request: Sendable {
        let line: [UInt8]
        let conversation: Conversation
        /// Nil where it must not be read on the connection's own thread.
        var direct: DirectTurn?
        /// Whether a thread from which it was taken over has begun to change something.
        var hasBegun = false
        let began = MonotonicTime.now
    }

    /// Programs begin with a brace.
    func makeSession(first: UInt8?) -> any Session {
        first == UInt8(ascii: "{")
            ? MachineSession(connection: self) : PersonSession(connection: self)
    }
}
#endif
