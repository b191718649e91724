#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// The session of a program: JSON-RPC 2.0, one message per line, `hello` first.
final class MachineSession: Session {
    private let connection: Connection
    private var hasGreeted = false

    init(connection: Connection) { self.connection = connection }

    func answer(_ line: [UInt8]) -> Bool {
        let began = MonotonicTime.now
        let request: RPCRequest
        do throws(CommandFailure) {
            request = try RPCRequest(
                parsing: line,
                limits: JSONLimits(
                    maximumDepth: 64,
                    maximumBytes: connection.agent.configuration.maximumRequestBytes))
        } catch {
            // The line was complete, so the next line can be read.
            return reply(RPCResponse(id: .null, result: .failure(error)))
        }
        let isGreeting = request.method == HelloCommand.description.name
        if !hasGreeted, !isGreeting {
            let failure = CommandFailure(
                .protocolError, "the first request must be `hello`, not `\(request.method)`",
                hint: #"{"jsonrpc":"2.0","id":0,"method":"hello","params":"#
                    + #"{"protocolVersion":\#(ProtocolVersion.current),"client":"me"}}"#)
            _ = reply(RPCResponse(id: request.id ?? .null, result: .failure(failure)))
            return false
        }
        // A notification gets no answer, whatever its result.
        guard let id = request.id else { return true }
        do throws(CommandFailure) {
            if isGreeting {
                let answer = try greet(request.params)
                hasGreeted = true
                defer { _ = connection.peer }  // while the client reads its answer
                return reply(RPCResponse(id: id, answer: answer))
            }
            let (time, isAsked) = Self.time(request.params, connection.agent)
            let context = CommandContext(
                connection, began: began, deadline: time, isTimeAsked: isAsked,
                announcing: announcing(request, id),
                stream: { [connection] lines in
                    connection.send(RPCNotification.part(id: id, lines: lines).line + "\n")
                })
            let answer = try CommandRunner.run(request.method, request.params, in: context)
            if let packed = answer.packedResult { return reply(id, packed) }
            var response = RPCResponse(id: id, answer: answer)
            response.bringsSecret = context.bringsSecret.isSet
            return reply(response)
        } catch {
            let isOver = error.code == .protocolError && !hasGreeted
            return reply(RPCResponse(id: id, result: .failure(error))) && !isOver
        }
    }

    /// Returns a closure that tells the client which host code runs for it, if the client has asked for
    /// that.
    private func announcing(
        _ request: RPCRequest, _ id: JSONValue
    ) -> (@Sendable (String) -> Void)? {
        guard case .bool(true)? = request.params["announce"] else { return nil }
        return { [connection] code in
            _ = connection.send(RPCNotification.running(id: id, code).line + "\n")
        }
    }

    func refuse(_ failure: CommandFailure) {
        _ = reply(RPCResponse(id: .null, result: .failure(failure)))
    }

    private func reply(_ response: RPCResponse) -> Bool {
        let line = response.line
        let limit = connection.agent.configuration.maximumReplyBytes
        guard line.utf8.count > limit else { return connection.send(line + "\n") }
        return refuse(response.id, size: line.utf8.count, limit: limit)
    }

    private func refuse(_ id: JSONValue, size: Int, limit: Int) -> Bool {
        let failure = CommandFailure(
            .bound,
            "the answer has \(Quantity.count(size)) bytes and may have "
                + Quantity.count(limit),
            hint: "ask for less with --depth, --limit, or a longer path")
        return connection.send(RPCResponse(id: id, result: .failure(failure)).line + "\n")
    }

    /// Sends an answer in pages, as they are written: the client reads the first pages while the agent
    /// makes the others.
    private func reply(_ id: JSONValue, _ result: PackedResult) -> Bool {
        let (before, after) = RPCResponse.packed(id: id, result)
        if let size = excessiveSize(of: result.value, before, after) {
            return refuse(id, size: size, limit: connection.agent.configuration.maximumReplyBytes)
        }
        return connection.sendPages(before: before, after: after, result.value.writeJSON)
    }

    /// The size in bytes of an answer that exceeds the limit, without the end of its line; nil if it fits.
    /// Must be known before the first page, since sent bytes can't be taken back.
    private func excessiveSize(
        of value: any PackedValue, _ before: [UInt8], _ after: [UInt8]
    ) -> Int? {
        let limit = connection.agent.configuration.maximumReplyBytes
        var size = before.count + after.count - 1
        guard size + value.longestJSON >= limit else { return nil }
        _ = value.writeJSON {
            size += $0.count
            return true
        }
        return size > limit ? size : nil
    }

    private func greet(_ params: JSONValue) throws(CommandFailure) -> HelloAnswer {
        let hello = try CommandRunner.parameters(of: HelloCommand.self, params)
        guard ProtocolVersion.isSupported(hello.protocolVersion) else {
            throw CommandFailure(
                .protocolError,
                "the client speaks protocol \(hello.protocolVersion) and this agent "
                    + "\(ProtocolVersion.oldest) to \(ProtocolVersion.current)",
                hint: "use the `telltale` that was built with this service's package")
        }
        return connection.agent.hello()
    }

    /// The time limit of the command, and whether the client has set it.
    private static func time(
        _ params: JSONValue, _ agent: Agent
    ) -> (time: Duration, isAsked: Bool) {
        guard case .integer(let asked)? = params["deadlineMilliseconds"], asked > 0 else {
            return (agent.configuration.commandDeadline, false)
        }
        // A client may ask for less time, or for more, up to the dump deadline.
        let time = Duration.milliseconds(min(asked, 3_600_000))
        let most = agent.configuration.dumpDeadline
        return time <= most ? (time, true) : (most, false)
    }
}

extension Agent {
    func hello() -> HelloAnswer {
        let facts = ProcessFacts()
        var answer = HelloAnswer()
        answer.protocolVersion = ProtocolVersion.current
        answer.agent = ProductVersion.current
        answer.name = name
        answer.pid = facts.pid
        answer.startTicks = facts.startTicks
        answer.uptimeSeconds = facts.uptimeSeconds
        answer.buildID = buildID
        answer.uid = ProcessIdentity.uid
        answer.mode = mode.rawValue
        answer.residentBytes = facts.residentBytes
        return answer
    }
}

/// The session of a person who connected with `nc -U` or `socat`: command lines in, text out.
final class PersonSession: Session {
    private let connection: Connection

    init(connection: Connection) { self.connection = connection }

    func answer(_ line: [UInt8]) -> Bool {
        do throws(CommandFailure) {
            guard let text = String(validating: line, as: UTF8.self) else {
                throw CommandFailure(
                    .usage, "the line is not UTF-8", hint: "`help` lists commands")
            }
            guard let request = try CommandLineParser.parse(text) else { return true }
            if request.command.description.endsSession { return false }
            let context = CommandContext(
                connection, deadline: connection.agent.configuration.commandDeadline)
            let answer = try CommandRunner.run(request.method, request.parameters, in: context)
            let remarks = TerminalText(lines: answer.remarks).text
            return connection.send(answer.rendered(TextStyle()) + "\n" + remarks)
        } catch {
            return connection.send(error.rendered(TextStyle()) + "\n")
        }
    }

    func refuse(_ failure: CommandFailure) {
        _ = connection.send(failure.rendered(TextStyle()) + "\n")
    }
}
#endif
