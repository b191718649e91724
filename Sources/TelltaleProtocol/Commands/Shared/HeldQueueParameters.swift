#if TELLTALE_COMPILED
/// The parameters of `suspend` and `resume`.
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
