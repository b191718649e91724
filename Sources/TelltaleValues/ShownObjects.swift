#if TELLTALE_AGENT
/// The objects whose parts are in an answer, with their handles: provisional ones of a tree until the tree has
/// its numbers.
///
/// Not thread-safe: it belongs to one read.
package final class ShownObjects {
    /// By the complements of the addresses; 0 for an object without a handle.
    var handles: [UInt: Int32] = [:]

    package init() {}

    /// The handle of an object; an outer nil if the object is not in the answer.
    package subscript(address: UInt) -> Int?? {
        get { handles[~address].map { $0 == 0 ? nil : Int($0) } }
        set { handles[~address] = newValue.map { Int32(clamping: $0 ?? 0) } }
    }
}
#endif
