#if TELLTALE_COMPILED
/// A command that may end the service, which whoever asks has to know of: `isConfirmed` among its parameters
/// says so. A session asks once.
package protocol ConfirmedCommand: Command {}

extension ConfirmedCommand {
    /// The parameters, confirmed.
    package static func confirmed(_ parameters: JSONValue) -> JSONValue {
        guard case .object(var members) = parameters else { return parameters }
        members.removeAll { $0.key == "isConfirmed" }
        members.append(JSONMember("isConfirmed", .bool(true)))
        return .object(members)
    }
}
#endif
