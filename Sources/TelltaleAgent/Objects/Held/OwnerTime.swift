#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// How long an owner may take to answer, and which bound that is.
struct OwnerTime: Sendable {
    /// When it is given up.
    let deadline: MonotonicTime
    /// The bound as messages name it: `1.0 s (TELLTALE_OWNER_DEADLINE)`, `200 ms (--timeout)`.
    let text: String

    /// The bound of owners, from now on, as the configuration says it.
    init(_ length: Duration) {
        deadline = .now.advanced(by: length)
        text = "\(Quantity.time(length)) (TELLTALE_OWNER_DEADLINE)"
    }

    /// The bound that is met first: the owners', or that of the command which asks.
    init(in context: CommandContext) {
        let owners = OwnerTime(context.agent.configuration.ownerDeadline)
        guard context.deadline < owners.deadline else {
            self = owners
            return
        }
        deadline = context.deadline
        text =
            "\(Quantity.time(context.deadline.since(context.began))) "
            + (context.isTimeAsked ? "(--timeout)" : "(the command's deadline)")
    }
}
#endif
