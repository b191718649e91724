import Dispatch
import Foundation

extension Shape {
    /// Consumers of streams whose producers live, or are gone.
    static let streams = [
        Shape("stream-of-timer") {
            let (events, producer) = AsyncStream.makeStream(of: Int.self)
            startTimer(after: longTime, every: longTime) { producer.yield(1) }
            Task { for await _ in events {} }
        },
        Shape("stream-of-thread") {
            let (events, producer) = AsyncStream.makeStream(of: Int.self)
            onThread {
                while true {
                    Thread.sleep(forTimeInterval: 20)
                    producer.yield(1)
                }
            }
            Task { for await _ in events {} }
        },
        Shape("stream-of-task") {
            let (events, producer) = AsyncStream.makeStream(of: Int.self)
            Task {
                while true {
                    try? await Task.sleep(for: .seconds(20))
                    producer.yield(1)
                }
            }
            Task { for await _ in events {} }
        },
        Shape("stream-without-producer") {
            let (events, _) = AsyncStream.makeStream(of: Int.self)
            Task(name: "consumer") { await StreamShapes.consumeForsakenStream(events) }
        },
        Shape("stream-of-ended-thread") {
            let (events, producer) = AsyncStream.makeStream(of: Int.self)
            onThread { producer.yield(1) }
            Task(name: "consumer") { await StreamShapes.consumeEndedThread(events) }
        },
    ]
}

private enum StreamShapes {
    static func consumeForsakenStream(_ events: AsyncStream<Int>) async {
        for await _ in events {}  // blocks: consumeForsakenStream
    }

    static func consumeEndedThread(_ events: AsyncStream<Int>) async {
        for await _ in events {}  // blocks: consumeEndedThread
    }
}
