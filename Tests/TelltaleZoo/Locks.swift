import Synchronization

extension Zoo {
    static func makeLocks() -> AnyObject { Locks() }
    static func makeAtomics() -> AnyObject { Atomics() }
    static func makeNoncopyable() -> AnyObject { Noncopyables() }

    /// Has what stands outside of objects made.
    package static func touchGlobals() -> Int {
        zooCount.withLock { $0 } + zooHits.load(ordering: .relaxed)
            + ZooShared.words.withLock { $0.count } + zooStore.total.withLock { $0 }
            + zooLists.withLock { $0.count }
    }
}

struct Job: Hashable, Sendable {
    var name: String
    var size: Int
}

protocol Named: Sendable { var name: String { get } }
extension Job: Named {}

let zooCount = Mutex(41)
let zooHits = Atomic<Int>(17)
let zooLists = Mutex<[String: [Job]]>(["k": [Job(name: "a", size: 1)]])
let zooStore = Store()

enum ZooShared {
    static let words = Mutex(["one", "two"])
    static let apiToken = Mutex("hush")
    static let phase = Atomic<Phase>(.running)
}

enum Phase: Int, AtomicRepresentable {
    case idle = 3
    case running = 9
}

enum Colour: UInt8, AtomicRepresentable {
    case red = 1
    case blue = 200
}

struct Level: RawRepresentable, AtomicRepresentable, Hashable {
    var rawValue: UInt32
}

/// Structs with locks, one within the other.
struct Store: ~Copyable {
    let total = Mutex(7)
    let hits = Atomic<Int>(2)
    var name = "store"
    let inner = Inner()

    struct Inner: ~Copyable {
        let jobs = Mutex([Job(name: "deep", size: 4)])
        let secretKey = Mutex("hush")
    }
}

struct Boxed<Value: Sendable>: ~Copyable {
    let value: Mutex<Value>
    var label = "boxed"
    init(_ value: Value) { self.value = Mutex(value) }
}

private final class Locks: Sendable {
    private struct State {
        var jobs: [Int: Job] = [3: Job(name: "x", size: 9)]
        var total = 7
        var later: (@Sendable () -> Void)?
    }
    private enum Step { case idle, running(Job) }

    let number = Mutex(5)
    let byte = Mutex<UInt8>(255)
    private let state = Mutex(State())
    private let step = Mutex(Step.running(Job(name: "p", size: 1)))
    let jobs = Mutex<[String: [Job]]>(["k": [Job(name: "a", size: 1)]])
    let either = Mutex<Result<Int, any Error>>(.success(3))
    let named = Mutex<[any Named]>([Job(name: "n", size: 1)])
    let one = Mutex<any Named>(Job(name: "o", size: 1))
    let tuple = Mutex<(Int, name: String)>((1, name: "two"))
    let handler = Mutex<(@Sendable () -> Void)?>(nil)
    let continuations = Mutex<[CheckedContinuation<Int, Never>]>([])
    let token = Mutex("hush")
    let store = Store()
    let boxed = Boxed(["b": 1])
    let perhaps: Mutex<Int>? = Mutex(8)
    let nothing: Mutex<Int>? = nil
}

private final class Atomics: @unchecked Sendable {
    let count = Atomic<Int>(3)
    let isOpen = Atomic<Bool>(true)
    let small = Atomic<Int8>(-4)
    let phase = Atomic<Phase>(.running)
    let colour = Atomic<Colour>(.blue)
    let level = Atomic<Level>(Level(rawValue: 6))
    let ratio = Atomic<Double>(1.5)
    let pair = Atomic<WordPair>(WordPair(first: 1, second: 2))
    let address = Atomic<UnsafeRawPointer?>(nil)
    let word = Atomic<ObjectIdentifier?>(nil)
    let time = Atomic<Duration>(.seconds(3))
    let made = AtomicLazyReference<Holder>()
    let unmade = AtomicLazyReference<Holder>()
    let store = Store()

    init() { _ = made.storeIfNil(Holder()) }
}

final class Holder: Sendable { let count = 4 }

struct File: ~Copyable {
    var descriptor: Int32 = 7
    var path = "/tmp/x"
    deinit {}
}

struct Wrapped<Value: ~Copyable>: ~Copyable {
    var value: Value
    var count = 1
}

enum Slot: ~Copyable {
    case empty
    case file(File)
    case number(Int)
}

private final class Noncopyables {
    var file = File()
    var wrapped = Wrapped(value: 12)
    var deeper = Wrapped(value: File())
    var slot = Slot.file(File())
    var numberSlot = Slot.number(4)
    var emptySlot = Slot.empty
    var some: File? = File()
    var none: File? = nil
    var inline: InlineArray<2, Int> = [1, 2]
}
