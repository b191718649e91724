import Dispatch
import Foundation
import Synchronization
import TelltaleParked

/// An event loop of the shape of SwiftNIO's: a thread that waits in `epoll_wait` for a counter by
/// which other threads wake it, a timer and channels, and that runs the submitted tasks between two
/// waits.
///
/// While it handles events, its counter is not written: new tasks are only in its list.
final class PromiseLoop: TestLoop, @unchecked Sendable {
    enum Triggering: UInt32 {
        case level = 0
        case edge = 0x8000_0000
        case oneShot = 0x4000_0000
    }

    private let epoll = Epoll.make()
    private let counter = Epoll.makeCounter()
    private let timer: Int32
    private let triggering: Triggering
    private let tasks = Mutex<[@Sendable () -> Void]>([])
    private var channels: [Int32] = []

    init(_ triggering: Triggering, timerEvery milliseconds: Int = 60_000) {
        self.triggering = triggering
        timer = Epoll.makeTimer(milliseconds: milliseconds)
        for descriptor in [counter, timer] { watch(descriptor) }
    }

    private func watch(_ descriptor: Int32) {
        Epoll.add(descriptor, to: epoll, events: Epoll.readable | triggering.rawValue)
    }

    /// A channel that is echoed by the loop: the other end of it.
    func openChannel() -> Int32 {
        var ends: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        watch(ends[0])
        return ends[1]
    }

    func execute(_ task: @escaping @Sendable () -> Void) {
        tasks.withLock { $0.append(task) }
        Epoll.signal(counter)
    }

    /// Adds a task for the loop that its descriptor doesn't report.
    func executeSilently(_ task: @escaping @Sendable () -> Void) {
        tasks.withLock { $0.append(task) }
    }

    func run() {
        while true {
            let descriptor = whenReady()
            handle(descriptor)
            for task in takeTasks() { task() }
        }
    }

    private func whenReady() -> Int32 {
        var event = Epoll.Event()
        while Epoll.wait(epoll, &event, 1, -1) < 1 {}
        return event.data.0
    }

    private func handle(_ descriptor: Int32) {
        if descriptor == counter || descriptor == timer {
            Epoll.drain(descriptor)
        } else {
            var bytes = [UInt8](repeating: 0, count: 512)
            let count = read(descriptor, &bytes, bytes.count)
            if count > 0 { _ = write(descriptor, bytes, count) }
        }
        if triggering == .oneShot {
            Epoll.rearm(
                descriptor, in: epoll, events: Epoll.readable | triggering.rawValue)
        }
    }

    private func takeTasks() -> [@Sendable () -> Void] {
        tasks.withLock { tasks in
            defer { tasks = [] }
            return tasks
        }
    }
}

/// The operations of each of them.
protocol TestLoop: AnyObject, Sendable {
    func run()
    func execute(_ task: @escaping @Sendable () -> Void)
    func executeSilently(_ task: @escaping @Sendable () -> Void)
    func openChannel() -> Int32
}
