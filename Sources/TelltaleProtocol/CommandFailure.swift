#if TELLTALE_COMPILED
/// The reason that a command failed: the problem, its place, a remedy, and the exit status.
public struct CommandFailure: Error, Codable, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure; decides the client's exit status.
    ///
    /// A struct rather than an enumeration, so that a newer agent's codes are kept as they are.
    public struct Code: RawRepresentable, Codable, Sendable, Hashable {
        /// The code's wire form.
        public var rawValue: String
        /// Makes a code from its wire form.
        ///
        /// - Parameter rawValue: The code's wire form.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The command line or the parameters have the wrong form.
        public static let usage = Code(rawValue: "usage")
        /// No such command or method.
        public static let unknownCommand = Code(rawValue: "unknown-command")
        /// No object, property, index, key, change or dump of that name.
        public static let notFound = Code(rawValue: "not-found")
        /// A value does not fit the expected type.
        public static let wrongType = Code(rawValue: "wrong-type")
        /// The thing exists and can't be read or changed this way.
        public static let unsupported = Code(rawValue: "unsupported")
        /// The registered object has been deallocated.
        public static let gone = Code(rawValue: "gone")
        /// `undo` of a value that has changed since.
        public static let conflict = Code(rawValue: "conflict")
        /// The host's own code threw.
        public static let hostError = Code(rawValue: "host-error")
        /// Read-only mode, or another user.
        public static let denied = Code(rawValue: "denied")
        /// The command may end the service and has to be confirmed first.
        public static let unconfirmed = Code(rawValue: "unconfirmed")
        /// An owner, or the agent, did not answer in time.
        public static let timeout = Code(rawValue: "timeout")
        /// The agent can't be found or reached.
        public static let unreachable = Code(rawValue: "unreachable")
        /// A bound of the agent was reached: connections, workers, bytes of a reply.
        public static let bound = Code(rawValue: "bound")
        /// A malformed or unsupported message.
        public static let protocolError = Code(rawValue: "protocol")
        /// Something in the agent is not as it should be; counted in its status.
        public static let `internal` = Code(rawValue: "internal")
    }

    /// The kind of failure.
    public var code: Code
    /// A sentence with the name, the path or the number in it.
    public var message: String
    /// A remedy, or a working example.
    public var hint: String?
    /// Indicates that the typed line may hold a secret, by the agent's knowledge: no history keeps it.
    package var bringsSecret = false
    /// Indicates that no object or property of the typed name exists; not sent.
    package var isUnknownName = false

    private enum CodingKeys: CodingKey { case code, message, hint }

    /// Makes a failure.
    ///
    /// - Parameters:
    ///   - code: What kind of failure it is.
    ///   - message: A sentence with the name, the path or the number in it.
    ///   - hint: What to do about it.
    public init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// The client's exit status for this failure.
    public var exitStatus: ExitStatus {
        switch code {
        case .usage, .unknownCommand: .usage
        case .unreachable, .protocolError: .unreachable
        case .denied, .unconfirmed: .denied
        case .timeout, .bound: .late
        default: .failed
        }
    }

    /// The number of the JSON-RPC 2.0 error object that carries this failure.
    public var rpcCode: Int {
        switch code {
        case .protocolError: -32600
        case .unknownCommand: -32601
        case .usage: -32602
        case .internal: -32603
        default: -32000
        }
    }

    /// The sentence, and the hint where there is one, on lines of their own.
    public var description: String { hint.map { "\(message)\n  \($0)" } ?? message }
}
#endif
