#if TELLTALE_COMPILED
/// A line sent by an agent.
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

/// Code that all lines of the wire share.
enum RPCLine {
    /// Reads a line's object and checks that it is JSON-RPC 2.0.
    static func object(_ line: [UInt8], limits: JSONLimits) throws(CommandFailure) -> JSONValue {
        let value: JSONValue
        do {
            value = try JSONParser.parse(line, limits: limits)
        } catch {
            throw CommandFailure(.protocolError, "not a JSON line: \(error)")
        }
        guard case .object = value else {
            throw CommandFailure(
                .protocolError,
                "a message is one object on a line, not \(value.kindDescription)",
                hint: "Send one object a line; batches are not supported.")
        }
        guard value["jsonrpc"] == .string("2.0") else {
            throw CommandFailure(
                .protocolError, "a message without \"jsonrpc\":\"2.0\"",
                hint: #"{"jsonrpc":"2.0","id":1,"method":"objects"}"#)
        }
        return value
    }

    /// The parameters of a request or a notification.
    static func params(_ object: JSONValue) throws(CommandFailure) -> JSONValue {
        switch object["params"] {
        case nil, .null: return .object([])
        case .object(let members): return .object(members)
        case let other?:
            throw CommandFailure(
                .protocolError, "params are an object, not \(other.kindDescription)",
                hint: #"{"jsonrpc":"2.0","id":1,"method":"show","params":{"path":"photos"}}"#)
        }
    }
}
#endif
