#if TELLTALE_AGENT
import Dispatch
import Synchronization
import TelltalePicture
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

/// The captured state of queues in known states.
@Suite(.serialized) struct DispatchCaptureTests {
    private static var soon: MonotonicTime { .now.advanced(by: .seconds(30)) }

    init() throws { try DispatchLayout.waitUntilKnown() }

    private static func capture(
        _ parts: Picture.Parts = .queues, items: Int = 16
    ) throws -> Picture {
        try Captured.picture(parts, items: items)
    }

    private static func facts(_ queue: DispatchQueue, items: Int = 16) -> QueueFacts? {
        guard let address = QueueKind.inner(queue) else { return nil }
        let layout = DispatchLayout.known(by: soon)
        return DispatchReader(
            layout: layout, deadline: soon, oldestWait: SharedState.current.waitTimes.oldest
        ).queue(at: address, items: items)
    }

    private static func wait(_ condition: () throws -> Bool) rethrows {
        let deadline = soon
        while try !condition(), .now < deadline { NativeThread.sleep(.microseconds(50)) }
    }

    @Test func aQueueIsFoundWithItsLabelKindTargetAndClass() throws {
        let target = DispatchQueue(label: "facts.target")
        let serial = DispatchQueue(label: "facts.serial", qos: .utility, target: target)
        let concurrent = DispatchQueue(label: "facts.concurrent", attributes: .concurrent)
        let picture = try Self.capture()
        #expect(picture.gaps == [])
        let found = try #require(picture.queues.first { $0.label == "facts.serial" })
        #expect(found.kind == .serial)
        #expect(found.address == QueueKind.inner(serial))
        #expect(found.target == QueueKind.inner(target))
        #expect(found.qos == "utility")
        #expect(found.width == 1)
        #expect(found.waiting == 0)
        #expect(found.owner == nil)
        let wide = try #require(picture.queues.first { $0.label == "facts.concurrent" })
        #expect(wide.kind == .concurrent)
        #expect(wide.address == QueueKind.inner(concurrent))
        let main = try #require(picture.queues.first)
        #expect(main.kind == .main)
        #expect(main.label == "com.apple.main-thread")
        #expect(picture.queues.filter { $0.kind == .global }.count >= 8)
    }

    /// A queue's copy on a stack is found by no search, nor in a copy of the stack.
    @Test func aCopyOfAStackHoldsNoQueues() throws {
        let queue = DispatchQueue(label: "facts.copied")
        let address = try #require(QueueKind.inner(queue))
        let gate = Gate()
        let sitting = Locked<Int32?>(nil)
        let isGone = Locked(false)
        try gate.mutex.withLock { _ in
            try NativeThread.start(name: "copier") {
                withUnsafeTemporaryAllocation(byteCount: 144, alignment: 16) {
                    // As the agent's own reader has it: eight bytes off the alignment of objects.
                    let copy = UnsafeMutableRawBufferPointer(rebasing: $0[8..<136])
                    guard GuardedMemory.read(address: address, into: copy) else { return }
                    sitting.withLock { $0 = Int32(truncatingIfNeeded: NativeThread.currentID) }
                    // In its system call the stack is off that alignment, too.
                    gate.mutex.withLock { _ in }
                    // Nothing of it stays for another test to find.
                    copy.initializeMemory(as: UInt8.self, repeating: 0)
                }
                isGone.withLock { $0 = true }
            }
            Self.wait { sitting.withLock { $0 } != nil }
            let copier = try #require(sitting.withLock { $0 })
            let threads = ThreadCapture()
            try waitUntil("the copier waits for the lock") {
                let captured = threads.capture(.only([copier]), until: Self.soon)
                guard case .waiting? = captured.threads.first?.state else { return false }
                return captured.threads.first?.frames.isEmpty == false
            }
            for _ in 0..<20 {
                let captured = threads.capture(.only([copier]), until: Self.soon)
                #expect(captured.threads.first?.frames.isEmpty == false)
                #expect(
                    try Self.capture().queues.filter { $0.label == queue.label }.count == 1)
            }
        }
        Self.wait { isGone.withLock { $0 } }
    }

    private final class Gate: Sendable {
        let mutex = Mutex(0)
    }

    @Test func whatTheDeadlineCutsIsSaid() throws {
        let group = DispatchGroup()
        let address = try #require(
            GuardedMemory.load(
                UInt.self,
                at: UInt(bitPattern: Unmanaged.passUnretained(group).toOpaque()) &+ 16))
        let layout = DispatchLayout.known(by: Self.soon)
        let dispatch = DispatchCapture(layout: layout, parts: .groups)
        let word = try #require(dispatch.words.first)
        var picture = Picture(time: .zero)
        dispatch.read([word: [address]], into: &picture, until: Self.soon)
        #expect(picture.groups.map(\.address) == [address])
        #expect(picture.gaps == [])
        dispatch.read([word: [address]], into: &picture, until: .now)
        #expect(picture.groups.isEmpty)
        #expect(
            picture.notes(on: .groups) == [
                "the deadline came before all groups had been read"
            ])
        withExtendedLifetime(group) {}
    }

    @Test func suspendedAndInactiveQueuesAreSeenAsSuch() throws {
        let queue = DispatchQueue(label: "facts.suspended")
        let inactive = DispatchQueue(
            label: "facts.inactive", attributes: .initiallyInactive)
        for count in 1...3 {
            queue.suspend()
            #expect(Self.facts(queue)?.suspendCount == count)
        }
        #expect(Self.facts(inactive)?.isInactive == true)
        #expect(Self.facts(queue)?.isInactive == false)
        inactive.activate()
        #expect(Self.facts(inactive)?.isInactive == false)
        for _ in 1...3 { queue.resume() }
        #expect(Self.facts(queue)?.suspendCount == 0)
    }

    @Test func theItemsAreListedInOrderWithWhatTheyAre() throws {
        let queue = DispatchQueue(label: "facts.items", attributes: .concurrent)
        let group = DispatchGroup()
        queue.suspend()
        queue.async {}
        queue.async(flags: .barrier) {}
        let kept = DispatchWorkItem {}
        let cancelled = DispatchWorkItem {}
        queue.async(execute: kept)
        queue.async(execute: cancelled)
        cancelled.cancel()
        queue.async(group: group) {}
        let hasWaited = TimedCondition(false)
        try NativeThread.start(name: "waiter") {
            queue.sync {}
            hasWaited.update { $0 = true }
        }
        Self.wait { Self.facts(queue)?.waiting == 6 }
        let facts = try #require(Self.facts(queue))
        #expect(facts.waiting == 6)
        #expect(
            facts.items.map(\.kind) == [
                .block, .block, .workItem, .workItem, .block, .syncWaiter,
            ]
        )
        #expect(facts.items.map(\.isBarrier) == [false, true, false, false, false, false])
        #expect(facts.items.map(\.isCancelled) == [false, false, false, true, false, false])
        #expect(facts.items.map(\.isInGroup) == [false, false, false, false, true, false])
        #expect(facts.items.prefix(5).allSatisfy { $0.function != nil })
        #expect(Set(facts.items.prefix(5).map(\.function)).count == 5)
        #expect(facts.items.last?.waiter != nil)
        #expect(facts.oldestWait != nil)
        let few = try #require(Self.facts(queue, items: 2))
        #expect(few.items.count == 2)
        #expect(few.waiting == 6)
        queue.resume()
        #expect(hasWaited.wait(until: Self.soon) { $0 ? true : nil } == true)
        Self.wait { Self.facts(queue)?.waiting == 0 }
        #expect(Self.facts(queue)?.waiting == 0)
    }

    @Test func theThreadThatHoldsAQueueIsNamed() throws {
        let queue = DispatchQueue(label: "facts.held")
        let gate = TimedCondition<(thread: Int32, isOpen: Bool)>((0, false))
        queue.async {
            gate.update { $0.thread = Int32(truncatingIfNeeded: Self.threadID) }
            _ = gate.wait(until: Self.soon) { $0.isOpen ? true : nil }
        }
        let thread = gate.wait(until: Self.soon) { $0.thread == 0 ? nil : $0.thread }
        queue.async {}
        let facts = try #require(Self.facts(queue))
        #expect(facts.owner == thread)
        #expect(facts.isInBarrier)
        #expect(facts.waiting == 1)
        #expect(facts.widthInUse == 1)
        NativeThread.sleep(.microseconds(50))
        let later = try #require(Self.facts(queue))
        #expect((later.oldestWait ?? .zero) > .microseconds(40))
        gate.update { $0.isOpen = true }
    }

    private static var threadID: Int64 { NativeThread.currentID }

    @Test func readersOfAConcurrentQueueAreCounted() throws {
        let queue = DispatchQueue(label: "facts.readers", attributes: .concurrent)
        let gate = TimedCondition<(inside: Int, isOpen: Bool)>((0, false))
        for _ in 0..<3 {
            try NativeThread.start(name: "reader") {
                queue.sync {
                    gate.update { $0.inside += 1 }
                    _ = gate.wait(until: Self.soon) { $0.isOpen ? true : nil }
                }
            }
        }
        _ = gate.wait(until: Self.soon) { $0.inside == 3 ? true : nil }
        #expect(Self.facts(queue)?.widthInUse == 3)
        #expect(Self.facts(queue)?.isInBarrier == false)
        queue.async(flags: .barrier) {}
        Self.wait { Self.facts(queue)?.hasPendingBarrier == true }
        #expect(Self.facts(queue)?.hasPendingBarrier == true)
        #expect(Self.facts(queue)?.widthInUse == 3)
        gate.update { $0.isOpen = true }
        Self.wait { Self.facts(queue)?.widthInUse == 0 }
        #expect(Self.facts(queue)?.widthInUse == 0)
    }

    @Test func groupsSemaphoresAndTimersAreFoundWithTheirCounts() throws {
        let group = DispatchGroup()
        for _ in 0..<5 { group.enter() }
        let semaphore = DispatchSemaphore(value: 4)
        for _ in 0..<3 { semaphore.wait() }
        let queue = DispatchQueue(label: "facts.timers")
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let began = MonotonicTime.now
        timer.schedule(deadline: .now() + 500, repeating: 77.5)
        timer.setEventHandler {}
        timer.resume()
        queue.asyncAfter(deadline: .now() + 600) {}
        var picture = try Self.capture(DispatchCapture.all)
        try Self.wait {
            picture = try Self.capture(DispatchCapture.all)
            let own = picture.timers.filter { $0.queue == QueueKind.inner(queue) }
            return own.count == 2 && own.allSatisfy { $0.firesIn != nil }
        }
        #expect(picture.groups.contains { $0.outstanding == 5 && !$0.hasWaiters })
        #expect(picture.semaphores.contains { $0.value == 1 && $0.original == 4 })
        let own = picture.timers.filter { $0.queue == QueueKind.inner(queue) }
        #expect(own.count == 2)
        let repeating = try #require(own.first { !$0.isAfter })
        #expect(repeating.interval == 77.5)
        let passed = MonotonicTime.now.since(began).seconds
        #expect(repeating.firesIn.map { $0 <= 500 && $0 > 499 - passed } == true)
        #expect(repeating.handler != nil)
        let after = try #require(own.first { $0.isAfter })
        #expect(after.interval == nil)
        #expect(after.firesIn.map { $0 <= 600 && $0 > 599 - passed } == true)
        #expect(after.handler != nil)
        timer.suspend()
        let suspended = try Self.capture(.timers).timers
        #expect(suspended.contains { $0.address == repeating.address && $0.suspendCount == 1 })
        timer.resume()
        timer.cancel()
        for _ in 0..<5 { group.leave() }
        for _ in 0..<3 { semaphore.signal() }
    }

    @Test func everyLivingQueueIsFoundAndNoneThatWasFreed() throws {
        let prefix = "census.\(UInt32.random(in: 0...(.max)))."
        var queues = (0..<250).map { DispatchQueue(label: "\(prefix)s\($0)") }
        queues += (0..<250).map {
            DispatchQueue(label: "\(prefix)c\($0)", attributes: .concurrent)
        }
        var freed = (0..<300).map { DispatchQueue(label: "\(prefix)freed\($0)") }
        freed.removeAll()
        let picture = try Self.capture()
        let found = picture.queues.filter { $0.label.hasPrefix(prefix) }.map(\.label).sorted()
        #expect(found == queues.map(\.label).sorted())
    }

    @Test func manyQueuesThatWaitCostLittle() throws {
        let queues = (0..<600).map { DispatchQueue(label: "facts.busy.\($0)") }
        var idle = Duration.seconds(100)
        var waiting = Duration.seconds(100)
        for _ in 0..<5 {
            idle = min(idle, try Self.timeOfLook(at: 600))
            for queue in queues {
                queue.suspend()
                queue.async {}
            }
            waiting = min(waiting, try Self.timeOfLook(at: 600))
            for queue in queues {
                queue.resume()
                queue.sync {}
            }
        }
        print("600 queues", idle, "and waiting", waiting)
        #expect(waiting < idle * 10 + .milliseconds(50))
    }

    private static func timeOfLook(at count: Int) throws -> Duration {
        let began = MonotonicTime.now
        let picture = try capture()
        let time = MonotonicTime.now.since(began)
        #expect(picture.queues.filter { $0.label.hasPrefix("facts.busy.") }.count == count)
        return time
    }

    @Test func tenThousandItemsAreCounted() throws {
        let queue = DispatchQueue(label: "facts.many")
        queue.suspend()
        for _ in 0..<10_000 { queue.async {} }
        let began = MonotonicTime.now
        let facts = try #require(Self.facts(queue, items: 20))
        let took = MonotonicTime.now.since(began)
        #expect(facts.waiting == 10_000)
        #expect(facts.items.count == 20)
        print("10,000 items", took)
        queue.resume()
    }

    @Test func theSwiftPoolAndTasksInItAreSeen() async throws {
        let isDone = Locked(false)
        let isFound = Locked(false)
        try NativeThread.start(name: "looker") {
            let deadline = Self.soon
            while .now < deadline, !isFound.withLock({ $0 }) {
                // One for each class of service that a task has had.
                let pools = ((try? Self.capture(items: 64))?.queues ?? []).filter {
                    $0.label == "Swift global concurrent queue"
                }
                if pools.contains(where: { $0.items.contains { $0.kind == .task } }) {
                    isFound.withLock { $0 = true }
                }
            }
            isDone.withLock { $0 = true }
        }
        await withTaskGroup(of: Void.self) { group in
            // The first ones keep the pool's threads until the rest, which waits, has been seen.
            for _ in 0..<200 {
                group.addTask { Self.wait { isDone.withLock { $0 } } }
            }
        }
        Self.wait { isDone.withLock { $0 } }
        let wasFound = isFound.withLock { $0 }
        #expect(wasFound)
    }
}
#endif
