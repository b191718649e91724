public import Dispatch

/// One round of a thread that makes and frees Dispatch's objects over and over.
public enum DispatchTurn {
    /// Makes a queue, fills it while it is suspended, and lets it go on.
    ///
    /// - Parameters:
    ///   - label: The queue's.
    ///   - number: The turn's: every second queue is concurrent, and so on.
    ///   - group: What most of its items are in.
    ///   - held: Is called with the queue while it is suspended.
    /// - Returns: The queue, for as long as the caller wants to keep it.
    public static func run(
        _ label: String, _ number: Int, group: DispatchGroup = DispatchGroup(),
        held: (DispatchQueue) -> Void = { _ in }
    ) -> DispatchQueue {
        let queue = DispatchQueue(label: label, attributes: number % 2 == 0 ? .concurrent : [])
        for _ in 0..<20 { queue.async(group: group) {} }
        queue.suspend()
        let item = DispatchWorkItem {}
        queue.async(execute: item)
        queue.async(flags: .barrier) {}
        if number % 3 == 0 { item.cancel() }
        held(queue)
        queue.resume()
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + 100, repeating: 100)
        timer.setEventHandler {}
        timer.resume()
        timer.cancel()
        if number % 5 == 0 { queue.sync {} }
        return queue
    }
}
