#if TELLTALE_COMPILED
/// The parameters of `suspend` and `resume`.
public struct HeldQueueParameters: JSONCodable {
    /// The queue's label, the end of it where that is enough, or its address.
    public var queue: String

    package init(queue: String) { self.queue = queue }
}
#endif
