import Dispatch

/// The fixed work by which the harness tells what an agent costs that nobody asks.
final class Workload: Sendable {
    private struct Item {
        let seed: Int
        let iterations: Int
    }

    private let inputs: [Channel<Item>]
    private let results = Channel<Int>()

    /// How many threads it has.
    var workers: Int { inputs.count }

    init(workers: Int) {
        inputs = (0..<workers).map { _ in Channel<Item>() }
    }

    /// Starts the threads.
    func start() {
        for input in inputs { HostThread.start { [self] in work(input) } }
    }

    /// Has the work done.
    ///
    /// - Parameters:
    ///   - items: How many items.
    ///   - iterations: How many steps each has.
    /// - Returns: How long it took.
    func run(items: Int, iterations: Int) -> Duration {
        ContinuousClock().measure {
            for item in 0..<items {
                inputs[item % workers].push(Item(seed: item, iterations: iterations))
            }
            for _ in 0..<items { _ = results.pop() }
        }
    }

    private func work(_ input: Channel<Item>) {
        while true {
            let item = input.pop()
            var value = item.seed
            for _ in 0..<item.iterations {
                value = (value &* 1_103_515_245 &+ 12_345) & 0x7fff_ffff
            }
            results.push(value)
        }
    }
}
