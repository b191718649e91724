import Foundation
import Synchronization

/// Values whose types are known when they are read, those that a lock of their own guards, and what
/// tasks have.
///
/// Guarded by the object that has it, but for what guards itself.
final class WrittenDynamic: @unchecked Sendable {
    var any: Any = 0
    var named: any Named = WrittenKinds.Small(0)
    var namedObjects: [any Named] = []
    var byName: [String: any Named] = [:]
    var result: Result<Int, any Error> = .success(0)
    var error: (any Error)?
    var hashable = AnyHashable(0)
    var type: Any.Type = Int.self
    var closure: () -> Int = { 0 }
    var path: PartialKeyPath<WrittenKinds.Small> = \.name
    var stream = AsyncStream<Int> { _ in }
    var continuation: AsyncStream<Int>.Continuation?
    var task: Task<Void, Never>?
    let guarded = WrittenGuarded()

    func write(_ number: Int) {
        any = [number, "any \(number)", [number]][number % 3]
        let values: [any Named] = [
            WrittenKinds.Small(number), WrittenKinds.Large(number), WrittenKinds.Part(number),
        ]
        named = values[number % 3]
        namedObjects = values
        byName = ["of \(number)": values[(number + 1) % 3]]
        result = number % 2 == 0 ? .success(number) : .failure(WrittenKinds.Failure.gone)
        error = number % 3 == 0 ? nil : WrittenKinds.Failure.broken(code: number)
        hashable = number % 2 == 0 ? AnyHashable(number) : AnyHashable("h \(number)")
        type = number % 2 == 0 ? Int.self : WrittenKinds.Large.self
        closure = { number }
        path = number % 2 == 0 ? \.name : \.number
        let (made, continuation) = AsyncStream.makeStream(of: Int.self)
        for _ in 0..<number { continuation.yield(number) }
        (stream, self.continuation) = (made, continuation)
        // A task that ends at once: its handle may be read in any of its states.
        if number == 0 { task = Task {} }
        guarded.write(number)
    }
}

/// An object that guards itself: all threads write it, without any owner.
final class WrittenGuarded: Sendable {
    struct Work {
        var number = 0
        var list: [Int] = []
        var table: [String: WrittenKinds.Small] = [:]
        var named: any Named = WrittenKinds.Small(0)
        var data = Data()
    }

    let work = Mutex(Work())
    let counter = Mutex(0)
    let words = Mutex<[String]>([])
    let perhaps = Mutex<WrittenKinds.State>(.idle)
    let pairs = Mutex<[(Int, text: String)]>([])
    let number = Atomic(0)
    let flag = Atomic(false)
    let pair = Atomic(WordPair(first: 0, second: 0))
    let duration = Atomic(Duration.zero)

    func write(_ number: Int) {
        work.withLock { work in
            work.number = number
            work.list.removeAll(keepingCapacity: true)
            for _ in 0..<number { work.list.append(number) }
            work.table = ["key \(number)": WrittenKinds.Small(number)]
            work.named =
                number % 2 == 0 ? WrittenKinds.Large(number) : WrittenKinds.Part(number)
            work.data = Data(repeating: UInt8(number), count: number * 4)
        }
        counter.withLock { $0 = number }
        words.withLock { words in
            words.removeAll()
            for _ in 0..<number { words.append("word \(number) of them") }
        }
        perhaps.withLock { $0 = WrittenKinds.State(number) }
        pairs.withLock { $0 = Array(repeating: (number, "pair \(number)"), count: number) }
        self.number.store(number, ordering: .relaxed)
        flag.store(number % 2 == 0, ordering: .relaxed)
        pair.store(WordPair(first: UInt(number), second: UInt(number)), ordering: .relaxed)
        duration.store(.milliseconds(number), ordering: .relaxed)
    }
}
