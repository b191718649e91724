#if TELLTALE_COMPILED
/// `hello`: the first request of every connection. A method of the wire, which nobody types.
package enum HelloCommand: Command {
    /// The parameters of `hello`.
    package struct Parameters: MemberCoded {
        /// The protocol version that the client speaks.
        package var protocolVersion: Int
        /// The client's name and version, for the audit log; never trusted.
        package var client: String

        package init(protocolVersion: Int, client: String) {
            self.protocolVersion = protocolVersion
            self.client = client
        }

        /// An empty one, to be read into.
        package init() { self.init(protocolVersion: 0, client: "") }

        /// Names the members.
        package mutating func code(_ coder: inout MemberCoder) {
            coder.member("protocolVersion", &protocolVersion)
            coder.member("client", &client)
        }
    }

    package typealias Answer = HelloAnswer

    package static let description = CommandDescription(
        "hello", "who is there", detail: "The handshake of client and agent.")

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        Parameters(protocolVersion: ProtocolVersion.current, client: "")
    }
}
#endif
