#if TELLTALE_COMPILED
/// A command that can show objects that lead back without their parts: `brief` among its parameters. A client that
/// shows text asks for it; JSON has all down to its depth.
package protocol BriefCommand: Command {}

extension BriefCommand {
    /// The parameters of a request whose answer is shown as text.
    package static func brief(_ parameters: JSONValue) -> JSONValue {
        guard case .object(var members) = parameters, parameters["brief"] == nil else {
            return parameters
        }
        members.append(JSONMember("brief", .bool(true)))
        return .object(members)
    }
}

extension ShowCommand: BriefCommand {}
extension GetCommand: BriefCommand {}
#endif
