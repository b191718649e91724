#if TELLTALE_COMPILED
/// `hello`: the first request of every connection. A method of the wire that is never typed.
package enum HelloCommand: Command {
    package struct Parameters: MemberCoded {
        package var protocolVersion: Int
        /// The client's name and version, for the audit log; never trusted.
        package var client: String

        package init(protocolVersion: Int, client: String) {
            self.protocolVersion = protocolVersion
            self.client = client
        }

        package init() { self.init(protocolVersion: 0, client: "") }

        package mutating func code(_ coder: inout MemberCoder) {
            coder.member("protocolVersion", &protocolVersion)
            coder.member("client", &client)
        }
    }

    package typealias Answer = HelloAnswer

    /// The members that every handshake has, for the author of a client who left one out.
    package static let needed = [
        "protocolVersion": "the protocol's version, a number",
        "client": "the client's name, a string",
    ]

    package static let description = CommandDescription(
        "hello", "who is there", detail: "The handshake of client and agent.")

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        Parameters(protocolVersion: ProtocolVersion.current, client: "")
    }
}

/// The answer to `hello`: proves the identity of the process.
public struct HelloAnswer: CommandAnswer, MemberCoded {
    package static let kind = "hello"

    /// The protocol version that the agent speaks.
    public var protocolVersion = 0
    /// The agent's own version.
    public var agent = ""
    /// The service's name.
    public var name = ""
    /// Its process id, in its own pid namespace.
    public var pid: Int32 = 0
    /// The process's start time, in the kernel's clock ticks since boot.
    public var startTicks: UInt64 = 0
    /// Seconds since the process started.
    public var uptimeSeconds: Double = 0
    /// The build id of the executable, hexadecimal; empty where it has none.
    public var buildID = ""
    /// The user that it runs as.
    public var uid: UInt32 = 0
    /// `read-write` or `read-only`.
    public var mode = ""
    /// Resident memory in bytes.
    public var residentBytes: UInt64 = 0

    package func lines(_ style: TextStyle) -> [String] {
        let facts = [
            "\(name)(\(pid))", "up \(Quantity.uptime(uptimeSeconds))", mode,
            Quantity.bytes(residentBytes, .field), "uid \(uid)",
            "build \(buildID.isEmpty ? "-" : buildID)",
            "agent \(agent)", "protocol \(protocolVersion)",
        ]
        return [facts.map(\.escaped).joined(separator: ", ")]
    }

    /// An empty one, to be read into.
    public init() {}

    /// Names the members.
    public mutating func code(_ coder: inout MemberCoder) {
        coder.member("protocolVersion", &protocolVersion)
        coder.member("agent", &agent)
        coder.member("name", &name)
        coder.member("pid", &pid)
        coder.member("startTicks", &startTicks)
        coder.member("uptimeSeconds", &uptimeSeconds)
        coder.member("buildID", &buildID)
        coder.member("uid", &uid)
        coder.member("mode", &mode)
        coder.member("residentBytes", &residentBytes)
    }
}
#endif
