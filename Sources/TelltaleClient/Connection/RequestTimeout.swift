import TelltaleProtocol
import TelltaleSystem

/// The deadline of a request: the agent is told, and the client waits a little longer, so that the
/// agent's report on the owner that doesn't answer still arrives.
struct RequestTimeout {
    /// The value of `--timeout`.
    let limit: Duration?
    let deadline: MonotonicTime
    let text: String

    init(of command: any Command.Type, limit: Duration?) {
        self.limit = limit
        let asked = limit ?? command.description.timeout
        let waited = asked + .milliseconds(500)
        deadline = MonotonicTime.now.advanced(by: waited)
        text = Quantity.time(asked)
    }

    /// The time between two moments of which the later one was set a little before the earlier one came:
    /// to the next hundredth of a second.
    static func text(waitingFrom began: MonotonicTime, to deadline: MonotonicTime) -> String {
        let hundredths = (deadline.since(began).microseconds + 9_999) / 10_000
        return Quantity.time(.milliseconds(10 * max(0, hundredths)))
    }

    func parameters(of request: Request) -> JSONValue {
        guard let limit, case .object(var members) = request.parameters else {
            return request.parameters
        }
        members.append(
            .init("deadlineMilliseconds", .integer(Int64(max(1, limit.microseconds / 1000)))))
        return .object(members)
    }
}
