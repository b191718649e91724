#if TELLTALE_AGENT
import Dispatch
import Foundation
import TelltaleParked
import TelltaleSystem

/// A thread that waits on an epoll, or with `poll`, until it is told to do something else in between.
final class LoopThread: Sendable {
    /// The way the thread watches one descriptor.
    enum Triggering: UInt32, CaseIterable, Sendable {
        case level = 0
        case edge = 0x8000_0000
        case oneShot = 0x4000_0000
    }

    /// The descriptor it watches besides the counter that wakes it.
    enum Watched: CaseIterable, Sendable { case counter, timer, socket, pipe }

    let epoll: Int32?
    let wake = Epoll.makeCounter()
    /// The descriptor that it watches, and the end by which that becomes readable.
    let watched: Int32
    private let other: Int32
    private let kind: Watched
    private let gate = DispatchSemaphore(value: 0)
    private let state = TimedCondition(
        (id: Int32(0), isBlocked: false, isEnding: false, blocks: true))

    init(_ kind: Watched, _ triggering: Triggering, usesPoll: Bool = false) {
        self.kind = kind
        (watched, other) = Self.make(kind)
        epoll = usesPoll ? nil : Epoll.make()
        if let epoll {
            Epoll.add(wake, to: epoll)
            Epoll.add(watched, to: epoll, events: Epoll.readable | triggering.rawValue)
        }
        // A thread of the agent would not count: its loops are left out.
        Thread.detachNewThread { [self] in turn() }
        _ = state.wait(until: Captured.soon) { $0.id == 0 ? nil : true }
    }

    deinit {
        for descriptor in Set([wake, watched, other, epoll ?? wake]) { close(descriptor) }
    }

    private static func make(_ kind: Watched) -> (watched: Int32, other: Int32) {
        var ends: [Int32] = [-1, -1]
        switch kind {
        case .counter:
            let counter = Epoll.makeCounter()
            return (counter, counter)
        case .timer:
            let timer = Epoll.makeTimer(milliseconds: 3_600_000)
            return (timer, timer)
        case .socket: socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        case .pipe: pipe(&ends)
        }
        return (ends[0], ends[1])
    }

    var id: Int32 { state.update { $0.id } }

    // MARK: The thread

    private func turn() {
        state.update { $0.id = Int32(truncatingIfNeeded: NativeThread.currentID) }
        while !state.update(\.isEnding) {
            wait()
            Epoll.drain(wake)
            if state.update(\.blocks), !state.update(\.isEnding) { handle() }
        }
        state.update { $0.id = -1 }
    }

    // Again after a signal, as every event loop does: one that was sent while it ran may end its call.
    private func wait() {
        if let epoll {
            var event = Epoll.Event()
            while Epoll.wait(epoll, &event, 1, -1) < 0, errno == EINTR {}
            return
        }
        var polled = [wake, watched].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&polled, nfds_t(polled.count), -1) < 0, errno == EINTR {}
    }

    private func handle() {
        state.update { $0.isBlocked = true }
        gate.wait()
        state.update { $0.isBlocked = false }
    }

    // MARK: What it is told

    /// Has it block in a handler, and then brings something for it.
    func block() {
        Epoll.signal(wake)
        _ = state.wait(until: Captured.soon) { $0.isBlocked ? true : nil }
        bring()
    }

    /// Makes what it watches readable.
    func bring() {
        switch kind {
        case .counter: Epoll.signal(other)
        case .timer:
            // Once: the next one is an hour away.
            Epoll.setTimer(other, milliseconds: 1, every: 3_600_000)
            var timer = pollfd(fd: other, events: Int16(POLLIN), revents: 0)
            while poll(&timer, 1, 10_000) < 0, errno == EINTR {}
        case .socket, .pipe: _ = write(other, "hello", 5)
        }
    }

    func end() {
        state.update { $0.isEnding = true }
        gate.signal()
        Epoll.signal(wake)
        _ = state.wait(until: Captured.soon) { $0.id < 0 ? true : nil }
    }
}
#endif
