import Dispatch

/// Something that is put off by a queue: what a host's own code looks like when it is looked at before it
/// has run.
public final class Delayed: @unchecked Sendable {  // nothing of it runs before the process ends
    /// The label of its suspended queue.
    public static let label = "test.delayed"
    /// The lines of the closures.
    public static let lines = [
        "after": #line + 7...#line + 10, "item": #line + 12...#line + 14,
    ]
    private let queue = DispatchQueue(label: Delayed.label)
    private var words: [String] = []

    /// Makes the queue and what waits on it.
    public init() {
        queue.suspend()
        queue.asyncAfter(deadline: .now() + 3600) {
            // Its capture makes the call go through a forwarder.
            print(self.words.count)
            self.words.append("after")
        }
        queue.async {
            self.words.removeAll()
            print("item", self.words)
        }
    }
}
