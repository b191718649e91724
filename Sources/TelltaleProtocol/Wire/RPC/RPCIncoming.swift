#if TELLTALE_COMPILED
/// One line that an agent sends.
public enum RPCIncoming: Sendable, Equatable {
    /// The answer to a request.
    case response(RPCResponse)
    /// Something ahead of the answer.
    case notification(RPCNotification)

    /// Reads a line: with a method it is a notification, otherwise a response.
    ///
    /// - Parameter line: The line, without its end.
    /// - Returns: What it is.
    /// - Throws: A failure of the protocol, with the place.
    public static func parse(_ line: [UInt8]) throws(CommandFailure) -> RPCIncoming {
        let object = try RPCLine.object(line, limits: .answer)
        if object["method"] != nil { return .notification(try RPCNotification(object)) }
        return .response(try RPCResponse(object))
    }
}
#endif
