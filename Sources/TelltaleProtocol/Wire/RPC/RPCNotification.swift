#if TELLTALE_COMPILED
/// A message that is not answered: a part of an answer, ahead of it, or the code that runs for it.
public struct RPCNotification: Sendable, Equatable {
    /// The kind: `part` or `running`.
    public var method: String
    /// Its parameters: an object, empty where the line has none.
    public var params: JSONValue

    /// Makes a notification.
    ///
    /// - Parameters:
    ///   - method: What it is.
    ///   - params: Its parameters, an object.
    public init(method: String, params: JSONValue = .object([])) {
        self.method = method
        self.params = params
    }

    /// Lines of a dump, ahead of the answer that has them all.
    ///
    /// - Parameters:
    ///   - id: The request's id.
    ///   - lines: The lines, without line ends.
    /// - Returns: The notification.
    public static func part(id: JSONValue, lines: [String]) -> RPCNotification {
        RPCNotification(
            method: "part",
            params: .object([
                JSONMember("id", id), JSONMember("lines", .array(lines.map { .string($0) })),
            ]))
    }

    /// Code of the service's that is about to run for a request.
    ///
    /// - Parameters:
    ///   - id: The request's id.
    ///   - code: Its name.
    /// - Returns: The notification.
    public static func running(id: JSONValue, _ code: String) -> RPCNotification {
        RPCNotification(
            method: "running",
            params: .object([JSONMember("id", id), JSONMember("code", .string(code))]))
    }

    /// The code that a `running` names; nil for anything else.
    public var code: String? {
        guard method == "running", case .string(let code) = params["code"] else { return nil }
        return code
    }

    /// The lines that a `part` carries; empty for anything else.
    public var lines: [String] {
        guard method == "part", case .array(let elements) = params["lines"] else { return [] }
        return elements.compactMap { element in
            guard case .string(let line) = element else { return nil }
            return line
        }
    }

    /// Reads a notification. Members that are not known are skipped.
    ///
    /// - Parameters:
    ///   - line: The line, without its end.
    ///   - limits: What is taken at most.
    /// - Throws: A failure of the protocol, with the place.
    public init(parsing line: [UInt8], limits: JSONLimits = .answer) throws(CommandFailure) {
        self = try RPCNotification(RPCLine.object(line, limits: limits))
    }

    init(_ object: JSONValue) throws(CommandFailure) {
        guard case .string(let method) = object["method"] else {
            throw CommandFailure(.protocolError, "a notification without a method")
        }
        self.method = method
        params = try RPCLine.params(object)
    }

    /// The notification as a line, without its end.
    public var line: String {
        JSONValue.object([
            JSONMember("jsonrpc", .string("2.0")), JSONMember("method", .string(method)),
            JSONMember("params", params),
        ]).serialized()
    }
}
#endif
