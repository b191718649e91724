import Dispatch
import Foundation
import Synchronization
import TelltaleParked

/// A loop as SwiftNIO's: its class's name, its lists of tasks, and a counter that is not written
/// while it handles events.
final class SelectableEventLoop: TestLoop, @unchecked Sendable {  // the lock guards the lists
    /// As the deque of swift-collections is laid out.
    struct Deque {
        struct Header {
            var capacity: Int
            var count: Int
            var startSlot: Int
        }

        struct Storage { var _buffer: ManagedBuffer<Header, @Sendable () -> Void> }
        var _storage: Storage

        init() {
            _storage = Storage(
                _buffer: .create(minimumCapacity: 64) { _ in
                    Header(capacity: 64, count: 0, startSlot: 0)
                })
        }

        func append(_ task: @escaping @Sendable () -> Void) {
            let count = _storage._buffer.header.count
            guard count < 64 else { return }
            _storage._buffer.withUnsafeMutablePointerToElements {
                ($0 + count).initialize(to: task)
            }
            _storage._buffer.header.count = count + 1
        }

        func takeFirst() -> (@Sendable () -> Void)? {
            let count = _storage._buffer.header.count
            guard count > 0 else { return nil }
            _storage._buffer.header.count = count - 1
            return _storage._buffer.withUnsafeMutablePointerToElements { start in
                let first = start.move()
                start.moveInitialize(from: start + 1, count: count - 1)
                return first
            }
        }

        func takeAll() -> [@Sendable () -> Void] {
            let count = _storage._buffer.header.count
            _storage._buffer.header.count = 0
            return _storage._buffer.withUnsafeMutablePointerToElements { start in
                (0..<count).map { (start + $0).move() }
            }
        }
    }

    struct Heap { var storage: [UInt64] = [] }
    struct PriorityQueue { var _heap = Heap() }

    struct FutureIdentifier: Hashable { let id: UInt }

    private let lock = NSLock()
    private var _promiseCreationStore: [FutureIdentifier: (file: StaticString, line: UInt)] = [:]
    private var _scheduledTasks = PriorityQueue()
    private var _immediateTasks = Deque()
    private var isHandling = false
    private let epoll = Epoll.make()
    private let counter = Epoll.makeCounter()

    init() { Epoll.add(counter, to: epoll) }

    func run() {
        while true {
            var event = Epoll.Event()
            while Epoll.wait(epoll, &event, 1, -1) < 1 {}
            Epoll.drain(counter)
            let due = lock.withLock {
                isHandling = true
                return _immediateTasks.takeAll()
            }
            for task in due { task() }
            lock.withLock { isHandling = false }
        }
    }

    /// Keeps the place of a promise that is not completed.
    func makePromise(_ id: UInt, file: StaticString = #fileID, line: UInt = #line) {
        lock.withLock { _promiseCreationStore[FutureIdentifier(id: id)] = (file, line) }
    }

    func execute(_ task: @escaping @Sendable () -> Void) {
        let isToWake = lock.withLock {
            _immediateTasks.append(task)
            return !isHandling
        }
        if isToWake { Epoll.signal(counter) }
    }

    func executeSilently(_ task: @escaping @Sendable () -> Void) { execute(task) }

    func schedule() { lock.withLock { _scheduledTasks._heap.storage.append(.max) } }

    func openChannel() -> Int32 { counter }
}
