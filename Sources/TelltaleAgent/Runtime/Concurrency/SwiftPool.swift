#if TELLTALE_AGENT
/// The threads of Swift concurrency, which are those of one concurrent queue on Linux.
enum SwiftPool {
    /// As `DispatchGlobalExecutor.cpp` of Swift 6.3 calls that queue.
    static let label = "Swift global concurrent queue"
}
#endif
