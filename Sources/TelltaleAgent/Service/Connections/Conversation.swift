#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// What a client has sent so far, and how it is talked to.
///
/// One thread at a time has it: that of its connection, or the one that took a request over from it.
final class Conversation: @unchecked Sendable {
    var lines: LineSplitter
    var session: (any Session)? { didSet { isMachine = session is MachineSession } }
    /// Whether a program is at the other end.
    private(set) var isMachine = false
    /// A line that has begun must end in time, however its bytes trickle in; between lines a client may think.
    var lineDeadline = MonotonicTime.distantFuture

    init(limit: Int) { lines = LineSplitter(limit: limit) }
}

extension Connection {
    /// A request that is being answered.
    struct Request: Sendable {
        let line: [UInt8]
        let conversation: Conversation
        /// Nil where it must not be read on the connection's own thread.
        let direct: DirectTurn?
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
