#if TELLTALE_COMPILED
/// A request of JSON-RPC 2.0, a line of the wire.
public struct RPCRequest: Sendable, Equatable {
    /// The id that the answer repeats; `nil` for a request without an answer.
    public var id: JSONValue?
    /// The method that is asked for.
    public var method: String
    /// The parameters: an object, empty where the line has none.
    public var params: JSONValue

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - id: What the answer carries again: a number or a string.
    ///   - method: What is asked for.
    ///   - params: The parameters, an object.
    public init(id: JSONValue?, method: String, params: JSONValue = .object([])) {
        self.id = id
        self.method = method
        self.params = params
    }

    /// Reads a request. Members that are not known are skipped.
    ///
    /// - Parameters:
    ///   - line: The line, without its end.
    ///   - limits: What is taken at most.
    /// - Throws: A failure of the protocol, with the place.
    public init(parsing line: [UInt8], limits: JSONLimits = .request) throws(CommandFailure) {
        let object = try RPCLine.object(line, limits: limits)
        switch object["id"] {
        case nil: id = nil
        case .integer, .unsigned, .double, .string, .null: id = object["id"]
        case let other?:
            throw CommandFailure(
                .protocolError,
                "a request's id is a number or a string, not \(other.kindDescription)")
        }
        guard case .string(let method) = object["method"] else {
            throw CommandFailure(
                .protocolError, "a request without a method",
                hint: #"{"jsonrpc":"2.0","id":1,"method":"objects"}"#)
        }
        self.method = method
        params = try RPCLine.params(object)
    }

    /// The request as a line, without its end.
    public var line: String {
        var members = [JSONMember("jsonrpc", .string("2.0"))]
        if let id { members.append(JSONMember("id", id)) }
        members.append(JSONMember("method", .string(method)))
        if params != .object([]) { members.append(JSONMember("params", params)) }
        return JSONValue.object(members).serialized()
    }
}
#endif
