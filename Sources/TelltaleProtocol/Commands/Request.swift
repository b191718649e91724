#if TELLTALE_COMPILED
/// The request that a command line stands for.
package struct Request: Sendable, Equatable {
    package let command: any Command.Type
    /// The method's parameters, as sent over the wire.
    package var parameters: JSONValue
    /// Indicates that the request may be sent before the listening process is identified.
    package let isHarmless: Bool
    /// Indicates that the effect ends with the connection.
    package let endsWithConnection: Bool
    /// A line with a like effect that does not end with the connection.
    package let lineWithoutConnection: String?

    /// Makes a request.
    ///
    /// - Throws: `.internal` for parameters that JSON can't say.
    package init<Asked: Command>(
        _ command: Asked.Type, _ parameters: Asked.Parameters
    ) throws(CommandFailure) {
        self.command = command
        isHarmless = Asked.isHarmless(parameters)
        endsWithConnection = Asked.endsWithConnection(parameters)
        lineWithoutConnection =
            endsWithConnection ? Asked.lineWithoutConnection(parameters) : nil
        do {
            self.parameters = try parameters.json()
        } catch {
            throw CommandFailure(.internal, "the parameters can't be written as JSON: \(error)")
        }
    }

    package var method: String { command.description.name }

    package static func == (left: Request, right: Request) -> Bool {
        left.command == right.command && left.parameters == right.parameters
    }
}
#endif
