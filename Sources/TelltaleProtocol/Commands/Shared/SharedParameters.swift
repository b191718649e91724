#if TELLTALE_COMPILED
/// The parameters of a command that leaves some out of its list, unless it is asked for all.
public struct AllParameters: JSONCodable {
    /// Also those that are idle, or of the system, or of the agent.
    public var all: Bool?
}

extension AllParameters: TypedParameters {
    package init(of arguments: inout CommandArguments) { all = arguments.flag("--all") }
}

/// The parameters of `resume`.
public struct HeldQueueParameters: JSONCodable {
    /// The queue's label, the end of it where that is enough, or its address.
    public var queue: String
}

extension HeldQueueParameters: TypedParameters {
    package init(of arguments: inout CommandArguments) throws(CommandFailure) {
        queue = try arguments.queue()
    }
}
#endif
