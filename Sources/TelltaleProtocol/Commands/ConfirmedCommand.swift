#if TELLTALE_COMPILED
/// A command that may end the service, so the user has to confirm it: `isConfirmed` among its
/// parameters. A session asks once.
package protocol ConfirmedCommand: Command {
    /// The question a session asks.
    static var question: String { get }

    /// Indicates that a session asks each time and not once.
    static var isAskedEachTime: Bool { get }
}

extension ConfirmedCommand {
    package static var getterQuestion: String {
        "Run it, and other getters from now on? [y/N] "
    }

    package static var question: String { "Do it, and others from now on? [y/N] " }

    package static var isAskedEachTime: Bool { false }

    /// The parameters, confirmed or not.
    package static func confirmed(_ parameters: JSONValue, _ isConfirmed: Bool = true) -> JSONValue
    {
        guard case .object(var members) = parameters else { return parameters }
        members.removeAll { $0.key == "isConfirmed" }
        members.append(JSONMember("isConfirmed", .bool(isConfirmed)))
        return .object(members)
    }
}
#endif
