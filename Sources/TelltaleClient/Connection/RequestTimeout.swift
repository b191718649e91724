import TelltaleProtocol
import TelltaleSystem

/// The deadline of a request: the agent is told, and the client waits a little longer, so that the
/// agent's report on the owner that doesn't answer still arrives.
struct RequestTimeout {
    /// The value of `--timeout`.
    let limit: Duration?
    let deadline: MonotonicTime
    let text: String
    /// Indicates that the agent says which code of the service it runs for the request.
    let isAnnounced: Bool

    init(of request: Request, limit: Duration?) {
        let command = request.command
        self.limit = limit
        let asked = limit ?? command.timeout(of: request.parameters)
        let waited = asked + .milliseconds(500)
        deadline = MonotonicTime.now.advanced(by: waited)
        text = Quantity.time(asked)
        isAnnounced = Self.announced.contains(command.description.name)
    }

    /// The time between two moments of which the later one was set a little before the earlier one came:
    /// to the next hundredth of a second.
    static func text(waitingFrom began: MonotonicTime, to deadline: MonotonicTime) -> String {
        let hundredths = (deadline.since(began).microseconds + 9_999) / 10_000
        return Quantity.time(.milliseconds(10 * max(0, hundredths)))
    }

    /// The commands that may run code of the service.
    private static let announced = [
        GetCommand.description.name, ShowCommand.description.name, CallCommand.description.name,
        EvalCommand.description.name,
    ]

    func parameters(of request: Request) -> JSONValue {
        guard case .object(var members) = request.parameters else { return request.parameters }
        if let limit {
            let milliseconds = Int64(max(1, limit.microseconds / 1000))
            members.append(.init("deadlineMilliseconds", .integer(milliseconds)))
        }
        if isAnnounced {
            members.append(.init("announce", .bool(true)))
        }
        return .object(members)
    }
}
