#if TELLTALE_COMPILED
/// An answer of JSON-RPC 2.0, a line of the wire.
public struct RPCResponse: Sendable, Equatable {
    /// The request's id; null if the request could not be read.
    public var id: JSONValue
    /// The outcome of the request.
    public var result: Outcome
    /// Indicates that the request may hold a secret, by the agent's knowledge: no client's history keeps it.
    public var bringsSecret = false

    /// The outcome of a request.
    ///
    /// As `Result<JSONValue, CommandFailure>`, which is a generic type that each client would have to
    /// make at its start: 3 % of its own time (measured).
    public enum Outcome: Sendable, Equatable {
        /// It was answered: the answer's members, and its `kind`.
        case success(JSONValue)
        /// It could not be.
        case failure(CommandFailure)

        /// The answer.
        ///
        /// - Returns: The answer in its wire form.
        /// - Throws: Why there is none.
        public func get() throws(CommandFailure) -> JSONValue {
            switch self {
            case .success(let answer): return answer
            case .failure(let failure): throw failure
            }
        }
    }

    /// Makes a response.
    ///
    /// - Parameters:
    ///   - id: The request's id.
    ///   - result: What came of the request.
    public init(id: JSONValue, result: Outcome) {
        self.id = id
        self.result = result
        if case .failure(let failure) = result { bringsSecret = failure.bringsSecret }
    }

    /// Makes the response to a request.
    ///
    /// An answer that can't be written (only a number that is none can do that) is a failure.
    package init(id: JSONValue, answer: any CommandAnswer) {
        self.id = id
        do {
            result = .success(try answer.result())
        } catch {
            result = .failure(CommandFailure(.internal, "the answer: \(error)"))
        }
    }

    /// Reads a response. Members that are not known are skipped.
    ///
    /// - Parameters:
    ///   - line: The line, without its end.
    ///   - limits: What is taken at most.
    /// - Throws: A failure of the protocol, with the place.
    public init(parsing line: [UInt8], limits: JSONLimits = .answer) throws(CommandFailure) {
        self = try RPCResponse(RPCLine.object(line, limits: limits))
    }

    init(_ object: JSONValue) throws(CommandFailure) {
        id = object["id"] ?? .null
        bringsSecret = object["bringsSecret"] == .bool(true)
        switch (object["result"], object["error"]) {
        case (let answer?, nil): result = .success(answer)
        case (nil, let error?):
            var failure = try Self.failure(error)
            failure.bringsSecret = bringsSecret
            result = .failure(failure)
        default:
            throw CommandFailure(
                .protocolError, "a response has either a result or an error, this one not")
        }
    }

    private static func failure(_ error: JSONValue) throws(CommandFailure) -> CommandFailure {
        guard case .string(let message) = error["message"] else {
            throw CommandFailure(.protocolError, "an error without a message")
        }
        var hint: String?
        if case .string(let text) = error["data"]?["hint"] { hint = text }
        if case .string(let code) = error["data"]?["code"] {
            return CommandFailure(.init(rawValue: code), message, hint: hint)
        }
        // Not one of Telltale's agents: the number tells at least the kind.
        let code: CommandFailure.Code =
            switch error["code"] {
            case .integer(-32700), .integer(-32600): .protocolError
            case .integer(-32601): .unknownCommand
            case .integer(-32602): .usage
            case .integer(-32603): .internal
            default: .hostError
            }
        return CommandFailure(code, message, hint: hint)
    }

    /// The response as a line, without its end.
    public var line: String {
        var members = [JSONMember("jsonrpc", .string("2.0")), JSONMember("id", id)]
        switch result {
        case .success(let answer): members.append(JSONMember("result", answer))
        case .failure(let failure): members.append(Self.error(failure))
        }
        if bringsSecret { members.append(JSONMember("bringsSecret", .bool(true))) }
        return JSONValue.object(members).serialized()
    }

    /// The line of a response whose result is written as it is sent, around the value's own JSON.
    package static func packed(
        id: JSONValue, _ result: PackedResult
    ) -> (before: [UInt8], after: [UInt8]) {
        let before = Array(#"{"jsonrpc":"2.0","id":"#.utf8) + id.serializedBytes()
        return (
            before + Array(#","result":"#.utf8) + result.before, result.after + Array("}\n".utf8)
        )
    }

    private static func error(_ failure: CommandFailure) -> JSONMember {
        var data = [JSONMember("code", .string(failure.code.rawValue))]
        if let hint = failure.hint { data.append(JSONMember("hint", .string(hint))) }
        return JSONMember(
            "error",
            .object([
                JSONMember("code", .number(failure.rpcCode)),
                JSONMember("message", .string(failure.message)),
                JSONMember("data", .object(data)),
            ]))
    }
}
#endif
