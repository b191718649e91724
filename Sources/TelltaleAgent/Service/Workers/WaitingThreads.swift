#if TELLTALE_AGENT
/// The idle threads of a pool by number, ordered by creation: the thread that was created first has the
/// first place and gets the first job.
struct WaitingThreads: Sendable {
    private var numbers: [Int] = []

    var count: Int { numbers.count }

    /// The thread's place, counted from 0; nil if it isn't waiting.
    func place(of number: Int) -> Int? { numbers.firstIndex(of: number) }

    mutating func add(_ number: Int) {
        numbers.insert(number, at: numbers.firstIndex { $0 > number } ?? numbers.count)
    }

    mutating func remove(_ number: Int) { numbers.removeAll { $0 == number } }
}
#endif
