#if TELLTALE_COMPILED
/// The parameters of `hello`, the first request of every connection.
public struct HelloParameters: Codable, Sendable, Equatable {
    /// The protocol version that the client speaks.
    public var protocolVersion: Int
    /// The client's name and version, for the audit log; never trusted.
    public var client: String

    /// Makes the parameters.
    ///
    /// - Parameters:
    ///   - protocolVersion: The protocol version that the client speaks.
    ///   - client: The client's name and version.
    public init(protocolVersion: Int, client: String) {
        self.protocolVersion = protocolVersion
        self.client = client
    }
}

/// What `hello` answers: the proof of which process this is.
public struct HelloAnswer: Codable, Sendable, Equatable {
    /// The protocol version that the agent speaks.
    public var protocolVersion: Int
    /// The agent's own version.
    public var agent: String
    /// The service's name.
    public var name: String
    /// Its process id, in its own pid namespace.
    public var pid: Int32
    /// When the process started, in the kernel's clock ticks since boot.
    public var startTicks: UInt64
    /// Seconds since the process started.
    public var uptimeSeconds: Double
    /// The build id of the executable, hexadecimal; empty where it has none.
    public var buildID: String
    /// The user that it runs as.
    public var uid: UInt32
    /// `read-write` or `read-only`.
    public var mode: String
    /// Resident memory in bytes.
    public var residentBytes: UInt64

    /// Makes the answer.
    ///
    /// - Parameters:
    ///   - protocolVersion: The protocol version that the agent speaks.
    ///   - agent: The agent's own version.
    ///   - name: The service's name.
    ///   - pid: Its process id.
    ///   - startTicks: When the process started.
    ///   - uptimeSeconds: Seconds since the process started.
    ///   - buildID: The build id of the executable.
    ///   - uid: The user that it runs as.
    ///   - mode: `read-write` or `read-only`.
    ///   - residentBytes: Resident memory.
    public init(
        protocolVersion: Int, agent: String, name: String, pid: Int32, startTicks: UInt64,
        uptimeSeconds: Double, buildID: String, uid: UInt32, mode: String, residentBytes: UInt64
    ) {
        self.protocolVersion = protocolVersion
        self.agent = agent
        self.name = name
        self.pid = pid
        self.startTicks = startTicks
        self.uptimeSeconds = uptimeSeconds
        self.buildID = buildID
        self.uid = uid
        self.mode = mode
        self.residentBytes = residentBytes
    }
}
#endif
