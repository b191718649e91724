#if TELLTALE_COMPILED
/// A wait for the next element of one of the standard library's streams, known by the function that waits.
package struct AwaitedStream {
    /// `AsyncStream`, `AsyncThrowingStream`.
    private let type: Substring

    /// Takes the function in which a task waits (`waitsIn`); nil if it is none of a stream's.
    package init?(waitingIn function: String?) {
        let end = ".Iterator.next"
        guard let function, function.hasSuffix(end), function.hasPrefix("Async") else { return nil }
        type = function.dropLast(end.count)
    }

    /// `next element of an AsyncStream`.
    package var element: String { "next element of an \(type)" }
}
#endif
