#if TELLTALE_AGENT
import Foundation
import TelltaleParked
import TelltalePicture
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

/// Event loops of threads of the tests' own, as captures see them.
@Suite(.serialized)
struct EventLoopCaptureTests {
    private static let parts: Picture.Parts = [.threads, .stacks, .waits, .eventLoops]

    private static func loop(_ thread: LoopThread) throws -> EventLoopFacts? {
        try Captured.picture(parts).eventLoops.first { loop in
            thread.epoll.map { loop.descriptor == $0 }
                ?? (loop.descriptor == nil && (loop.waiting + loop.threads).contains(thread.id))
        }
    }

    /// A picture in which the thread waits: it may still be on its way there.
    private static func waiting(_ thread: LoopThread) throws -> EventLoopFacts {
        var found: EventLoopFacts?
        try waitUntil("the thread waits on its loop") {
            found = try loop(thread)
            return found?.waiting == [thread.id]
        }
        return try #require(found)
    }

    @Test(
        "what a blocked loop leaves unread is seen, whatever it watches and however it is told",
        arguments: LoopThread.Watched.allCases, LoopThread.Triggering.allCases)
    func ready(watched: LoopThread.Watched, triggering: LoopThread.Triggering) throws {
        let thread = LoopThread(watched, triggering)
        defer { thread.end() }
        let before = try Self.waiting(thread)
        #expect(before.members == 2)
        #expect(before.channels == (watched == .socket || watched == .pipe ? 1 : 0))
        #expect(before.ready.isEmpty && before.threads.isEmpty)

        thread.block()
        let loop = try #require(try Self.loop(thread))
        #expect(loop.id == before.id)
        #expect(loop.waiting.isEmpty)
        #expect(loop.threads == [thread.id])
        #expect(loop.isReady)
        let ready = try #require(loop.ready.first { $0.descriptor == thread.watched })
        let expected: (EventLoopFacts.Ready.Kind, Int) =
            switch watched {
            case .counter: (.event, 1)
            case .timer: (.timer, 1)
            case .socket: (.socket, 5)
            case .pipe: (.pipe, 5)
            }
        #expect(ready.kind == expected.0)
        #expect(ready.unread == expected.1)
    }

    @Test("what was told once and fetched, and never read, is still seen: its epoll is silent")
    func fetched() throws {
        for triggering in [LoopThread.Triggering.edge, .oneShot] {
            let thread = LoopThread(.counter, triggering)
            defer { thread.end() }
            _ = try Self.waiting(thread)
            // The thread fetches it and blocks, without having read it.
            thread.bring()
            var found: EventLoopFacts?
            try waitUntil("the thread is blocked") {
                found = try Self.loop(thread)
                return found?.threads == [thread.id]
            }
            let loop = try #require(found)
            #expect(!loop.isReadable, "\(triggering)")
            #expect(loop.ready.map(\.descriptor) == [thread.watched], "\(triggering)")
        }
    }

    @Test("an array of descriptors is kept from when its thread was seen in poll")
    func array() throws {
        let thread = LoopThread(.pipe, .level, usesPoll: true)
        defer { thread.end() }
        try Self.expectArray(thread)
    }

    @Test("an array whose thread was in poll before a stop of the process, and never seen, is read")
    func stopped() throws {
        let thread = LoopThread(.pipe, .level, usesPoll: true)
        defer { thread.end() }
        func call() -> String? {
            SmallFile.text(of: "/proc/self/task/\(thread.id)/syscall", limit: 512)
                .flatMap { Int($0.prefix { $0 != " " }) }.map(SystemCallNames.name)
        }
        // A capture that interrupts a thread on its way into poll leaves it like this, too.
        try waitUntil("the thread's call goes on after a stop") {
            let shell = Process()
            shell.executableURL = URL(fileURLWithPath: "/bin/sh")
            shell.arguments = ["-c", "kill -STOP $PPID; kill -CONT $PPID"]
            try shell.run()
            shell.waitUntilExit()
            return call() == "restart_syscall"
        }
        try Self.expectArray(thread)
    }

    private static func expectArray(_ thread: LoopThread) throws {
        #expect(try waiting(thread).kind == .poll)
        thread.block()
        let loop = try #require(try Self.loop(thread))
        #expect(loop.threads == [thread.id])
        #expect(loop.ready.map(\.descriptor) == [thread.watched])
        #expect(loop.members == 2)
    }

    @Test("a loop of which nobody was seen waiting is nobody's")
    func unseen() throws {
        let thread = LoopThread(.counter, .level)
        defer { thread.end() }
        thread.block()
        // No capture has been made before; the agent's own readings are those of a service.
        let loop = try #require(try Self.loop(thread))
        #expect(loop.threads.isEmpty && loop.waiting.isEmpty)
        #expect(loop.isReady)
    }

    @Test("a new loop with the number of one that was closed is not taken for it")
    func reused() throws {
        let thread = LoopThread(.counter, .level)
        defer { thread.end() }
        let before = try Self.waiting(thread)
        thread.block()
        let number = try #require(thread.epoll)
        let (other, counter) = (Epoll.make(), Epoll.makeCounter())
        defer { for descriptor in [other, counter] { close(descriptor) } }
        Epoll.add(counter, to: other)
        Epoll.signal(counter)
        #expect(dup2(other, number) == number)
        let loop = try #require(try Self.loop(thread))
        #expect(loop.id != before.id)
        #expect(loop.threads.isEmpty)
        #expect(loop.isReady)
    }

    @Test("a rare reading of the agent's own is enough to know whose a loop is")
    func sampling() throws {
        let thread = LoopThread(.socket, .level)
        defer { thread.end() }
        let state = SharedState.current
        let number = try #require(thread.epoll)
        try waitUntil("a reading has seen it waiting") {
            state.eventLoops.sample(with: state.threads, until: Captured.soon)
            let known = state.eventLoops.loop(.descriptor(number))
            return known?.waiters.first?.thread == thread.id
        }
        thread.block()
        let loop = try #require(try Self.loop(thread))
        #expect(loop.threads == [thread.id])
        #expect(loop.label == "LoopThread.turn()", "\(loop.label)")
    }

    @Test("Dispatch's manager is no loop of the host's")
    func manager() throws {
        let picture = try Captured.picture(Self.parts)
        let managers = picture.threads.filter {
            $0.queue.flatMap { picture.labels[$0] } == "com.apple.libdispatch-manager"
        }.map(\.id)
        for loop in picture.eventLoops {
            #expect(Set(loop.waiting + loop.threads).isDisjoint(with: managers))
        }
    }

    @Test("descriptors that come and go while they are looked at disturb nobody")
    func churn() throws {
        let thread = LoopThread(.socket, .level)
        defer { thread.end() }
        let isOver = TimedCondition(false)
        let done = TimedCondition(0)
        for _ in 0..<2 {
            Thread.detachNewThread {
                while !isOver.update({ $0 }) {
                    let (epoll, counter) = (Epoll.make(), Epoll.makeCounter())
                    Epoll.add(counter, to: epoll)
                    Epoll.signal(counter)
                    var event = Epoll.Event()
                    // A pending event is never lost to its waiter.
                    if Epoll.wait(epoll, &event, 1, 0) != 1 { done.update { $0 -= 1000 } }
                    for descriptor in [epoll, counter] { close(descriptor) }
                }
                done.update { $0 += 1 }
            }
        }
        for _ in 0..<200 {
            _ = EventLoopReading([], SharedState.current.eventLoops, until: Captured.soon)
        }
        isOver.update { $0 = true }
        #expect(done.wait(until: Captured.soon) { $0 == 2 || $0 < 0 ? $0 : nil } == 2)
        _ = try Self.waiting(thread)
    }

    @Test("a reading of a thousand descriptors in twenty loops is bounded")
    func cost() throws {
        let loops = (0..<20).map { _ in Epoll.make() }
        let counters = (0..<900).map { _ in Epoll.makeCounter() }
        defer { for descriptor in loops + counters { close(descriptor) } }
        try #require(counters.allSatisfy { $0 >= 0 })
        for (index, counter) in counters.enumerated() {
            Epoll.add(counter, to: loops[index % loops.count])
        }
        let memory = EventLoopMemory()
        var times: [Duration] = []
        for _ in 0..<20 {
            let began = MonotonicTime.now
            let reading = EventLoopReading([], memory, until: Captured.soon)
            times.append(MonotonicTime.now.since(began))
            let seen = Set(reading.descriptors.map(\.descriptor.number))
            #expect(seen.isSuperset(of: loops))
        }
        // 23 ms, not optimised, on two cores with eight busy processes.
        #expect(try #require(times.min()) < .milliseconds(250), "\(times)")
    }
}
#endif
