// A package that a service is built with, as far as the debug information tells: its source lies where
// SwiftPM would have fetched it to.
import Synchronization

#sourceLocation(file:"/srv/service/.build/checkouts/machinery/Sources/TelltaleMachinery/QuietFeed.swift",line:7)

/// A sequence whose elements never come, as those of a quiet connection.
public struct Feed: AsyncSequence, Sendable {
    private let losesContinuations: Bool

    /// - Parameter losesContinuations: Indicates that the continuations of waiting tasks are not
    ///   retained.
    public init(losesContinuations: Bool) { self.losesContinuations = losesContinuations }

    /// Waits for elements.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let losesContinuations: Bool

        /// Waits for one.
        public mutating func next() async -> Int? {
            await Feed.wait(losesContinuations)
            return nil
        }
    }

    /// Makes an iterator.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(losesContinuations: losesContinuations)
    }

    /// Begins a task in which nothing but this package's functions are.
    public static func attend() {
        Task(name: "attendant") {
            for await _ in Feed(losesContinuations: false) {}
        }
    }

    private static let kept = Mutex<[UnsafeContinuation<Void, Never>]>([])

    @inline(never)
    fileprivate static func wait(_ losesContinuations: Bool) async {
        await withUnsafeContinuation { continuation in
            if losesContinuations { return }
            kept.withLock { $0.append(continuation) }
        }
    }
}
#sourceLocation()
