#if TELLTALE_AGENT
/// Threads of a pool that wait for work, by number: the one that was made first has the first place, and what comes.
struct WaitingThreads: Sendable {
    private var numbers: [Int] = []

    var count: Int { numbers.count }

    /// Its place from 0 on; nil where it doesn't wait.
    func place(of number: Int) -> Int? { numbers.firstIndex(of: number) }

    mutating func add(_ number: Int) {
        numbers.insert(number, at: numbers.firstIndex { $0 > number } ?? numbers.count)
    }

    mutating func remove(_ number: Int) { numbers.removeAll { $0 == number } }
}
#endif
