#if TELLTALE_COMPILED
/// What a command line asks the agent for.
public struct Request: Sendable, Equatable {
    /// The method's name, which is the command's.
    public var method: String
    /// The method's parameters, as they go on the wire.
    public var parameters: JSONValue

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - method: The method's name.
    ///   - parameters: The method's parameters.
    public init(method: String, parameters: JSONValue) {
        self.method = method
        self.parameters = parameters
    }
}
#endif
