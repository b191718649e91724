#if TELLTALE_AGENT
import Synchronization
import TelltalePicture
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

/// Tasks that wait where they are told to, until they are let go.
final class WaitingTasks: Sendable {
    private struct State {
        var continuations: [UnsafeContinuation<Void, Never>] = []
        var isOver = false
    }

    private let state = Locked(State())

    var waiting: Int { state.withLock { $0.continuations.count } }

    func pause() async {
        await withUnsafeContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.continuations.append(continuation) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }

    func letGo() {
        let all = state.withLock { state in
            state.isOver = true
            defer { state.continuations = [] }
            return state.continuations
        }
        for continuation in all { continuation.resume() }
    }

    /// Waits until so many wait.
    func settle(_ count: Int) async throws {
        try await waitWithoutBlocking(until: "\(count) tasks wait") { waiting >= count }
        #expect(waiting == count)
    }
}

private actor Bank {
    func hold(_ body: @Sendable () -> Void) { body() }
    func deposit() {}
    func audit(_ tasks: WaitingTasks) async { await tasks.pause() }
}

private func address<Success, Failure>(of task: Task<Success, Failure>) -> UInt {
    unsafeBitCast(task, to: UInt.self)
}

extension TaskCapture {
    fileprivate func named(_ name: String) -> TaskFacts? { tasks.first { $0.name == name } }
}

#if os(Linux) && arch(x86_64)
@Suite("Tasks found in memory", .serialized)
struct TaskCaptureTests {
    @Test("where there are more places than are looked at, that is said")
    func bound() {
        let soon = MonotonicTime.now.advanced(by: .seconds(20))
        let places = [UInt](repeating: 0x1008, count: TaskCapture.mostPlaces + 1)
        let capture = TaskCapture.read(at: places, until: soon)
        #expect(capture.isCut)
        #expect(
            capture.notes == [
                "of 500,001 places that may be tasks 500,000 were looked at"
            ])
        let late = TaskCapture.read(at: places, until: .now)
        #expect(late.isCut && late.notes.contains("not all tasks were read by the deadline"))
    }

    @Test("the runtime's layout reads back whole")
    func layout() {
        let layout = TaskLayout.known(by: .now.advanced(by: .seconds(30)))
        #expect(layout.notes == [])
        #expect(layout.hasChunks)
        #expect(layout.endings.count == 2)
    }

    @Test("the self-test leaves no task behind")
    func nothingIsLeft() {
        _ = TaskLayout.known(by: .now.advanced(by: .seconds(30)))
        #expect(Captured.tasks().tasks.filter { $0.name == TaskStage.name }.isEmpty)
    }

    @Test("what a task is and waits for is what the program made")
    func knownStates() async throws {
        let waiting = WaitingTasks()
        let stuck = Task(name: "t stuck", priority: .low) { await waiting.pause() }
        let cancelled = Task(name: "t cancelled") { await waiting.pause() }
        cancelled.cancel()
        let reader = Task(name: "t reader", priority: .high) { await stuck.value }
        let group = Task(name: "t group") {
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<3 {
                    group.addTask(name: "t child \(index)") { await waiting.pause() }
                }
                await group.waitForAll()
            }
        }
        let pair = Task(name: "t pair") {
            async let first: Void = waiting.pause()
            async let second: Void = waiting.pause()
            _ = await (first, second)
        }
        let sleeper = Task(name: "t sleeper") { try? await Task.sleep(for: .seconds(60)) }
        try await waiting.settle(7)
        var table = Captured.tasks()
        // The task that stored its continuation suspends a moment later, and the readers after it.
        let names = ["stuck", "cancelled", "reader", "group", "pair", "sleeper"]
        try await waitWithoutBlocking(until: "all of them wait") {
            table = Captured.tasks()
            let parents = names.compactMap { table.named("t \($0)") }
            let children = parents.flatMap(\.children)
            let all = parents + table.tasks.filter { children.contains($0.address) }
            return all.count == 11
                && all.allSatisfy { $0.state == .suspended && $0.waitsFor != nil }
        }

        #expect(table.unavailable == nil && table.notes == [])
        let found = try #require(table.named("t stuck"))
        #expect(found.address == address(of: stuck))
        #expect(found.state == .suspended && found.waitsFor == .continuation)
        #expect(found.priority == TaskPriority.low.rawValue || found.priority == 0x19)
        #expect(!found.isCancelled && found.parent == nil && found.children == [])
        #expect(!found.frames.isEmpty)
        #expect(table.named("t cancelled")?.isCancelled == true)
        let waiter = try #require(table.named("t reader"))
        #expect(waiter.waitsFor == .task(address(of: stuck)))
        #expect(waiter.priority == TaskPriority.high.rawValue)
        let owner = try #require(table.named("t group"))
        #expect(owner.waitsFor == .group && owner.children.count == 3)
        let children = table.tasks.filter { owner.children.contains($0.address) }
        #expect(children.map(\.name) == ["t child 0", "t child 1", "t child 2"])
        #expect(
            children.allSatisfy { $0.parent == owner.address && $0.kind == .groupChild })
        let parent = try #require(table.named("t pair"))
        #expect(parent.children.count == 2)
        #expect(
            table.tasks.filter { $0.parent == parent.address && $0.kind == .asyncLet }.count
                == 2)
        #expect(
            parent.waitsFor.map { wait in parent.children.map { .task($0) }.contains(wait) }
                == true)
        #expect(table.named("t sleeper")?.waitsFor == .timer)

        sleeper.cancel()
        waiting.letGo()
        for task in [stuck, cancelled, group, pair, reader] { await task.value }
        await sleeper.value
        let after = Captured.tasks()
        #expect(after.tasks.allSatisfy { $0.name?.hasPrefix("t ") != true })
    }

    @Test("five thousand named tasks are found, each once")
    func manyTasks() async throws {
        let waiting = WaitingTasks()
        let tasks = (0..<5000).map { index in
            Task(name: "many \(index)") { await waiting.pause() }
        }
        try await waiting.settle(5000)
        var times: [Duration] = []
        var found = 0
        for _ in 0..<5 {
            let began = MonotonicTime.now
            let table = Captured.tasks()
            times.append(MonotonicTime.now.since(began))
            found = table.tasks.filter { $0.name?.hasPrefix("many ") == true }.count
            #expect(Set(table.tasks.map(\.address)).count == table.tasks.count)
        }
        #expect(found == 5000)
        print("5000 tasks: \(times.sorted().map { Int($0.seconds * 1000) }) ms")
        waiting.letGo()
        for task in tasks { await task.value }
        #expect(Captured.tasks().tasks.allSatisfy { $0.name?.hasPrefix("many ") != true })
    }

    @Test("tasks that wait for an actor are listed in its order, and it is running")
    func actorQueue() async throws {
        let bank = Bank()
        let at = UInt(bitPattern: Unmanaged.passUnretained(bank).toOpaque())
        let isHeld = DoneFlag()
        let mayEnd = DoneFlag()
        let holder = Task.detached(name: "a holder") {
            await bank.hold {
                isHeld.set()
                while !mayEnd.isSet { _ = NativeThread.currentID }
            }
        }
        defer { mayEnd.set() }
        try await waitWithoutBlocking(until: "the actor is held") { isHeld.isSet }
        var waiters: [Task<Void, Never>] = []
        for index in 0..<3 {
            waiters.append(
                Task.detached(name: "a waiter \(index)", priority: .medium) {
                    await bank.deposit()
                })
            try await waitWithoutBlocking(until: "waiter \(index) waits for the actor") {
                ActorReader.read(at: at)?.waiting == index + 1
            }
        }
        let reading = try #require(ActorReader.read(at: at))
        #expect(reading.state == .running)
        #expect(reading.jobs == waiters.map { address(of: $0) })
        let table = Captured.tasks()
        #expect(table.named("a holder")?.state == .running)
        #expect(table.named("a waiter 1")?.waitsFor == .executor(at))
        #expect(table.named("a waiter 1")?.state == .enqueued)
        mayEnd.set()
        await holder.value
        for task in waiters { await task.value }
        #expect(ActorReader.read(at: at)?.jobs == [])
    }

    @Test("observed tasks that have ended are let go, also where all places were taken")
    func observed() async throws {
        let tasks = WaitingTasks()
        let task = Task { await tasks.pause() }
        try await tasks.settle(1)
        let observed = ObservedTasks()
        func add(_ number: Int) -> Bool {
            observed.add(
                ObservedTasks.Entry(
                    identifier: UInt64(number), address: unsafeBitCast(task, to: UInt.self),
                    cancel: { task.cancel() }))
        }
        #expect((0..<ObservedTasks.most).allSatisfy(add))
        #expect(!add(ObservedTasks.most))
        tasks.letGo()
        _ = await task.value
        // All of them were found alive within the last second.
        let deadline = MonotonicTime.now.advanced(by: .seconds(20))
        while !add(ObservedTasks.most), .now < deadline {
            try await Task.sleep(for: .milliseconds(50))
        }
        // Each further one looks at some of the others.
        for number in 1...(ObservedTasks.most / ObservedTasks.mostChecked) {
            #expect(add(ObservedTasks.most + number))
        }
        #expect(observed.count < 400)
    }

    @Test("nothing is wrong while tasks come and go")
    func churn() async throws {
        let isOver = DoneFlag()
        let churn = (0..<4).map { _ in
            Task.detached {
                var count = 0
                while !isOver.isSet {
                    await withTaskGroup(of: Int.self) { group in
                        for index in 0..<20 {
                            group.addTask(name: "churn") {
                                await Task.yield()
                                return index
                            }
                        }
                        for await value in group { count &+= value }
                    }
                }
                return count
            }
        }
        var implausible = 0
        var seen = 0
        for _ in 0..<200 {
            let table = Captured.tasks()
            #expect(table.unavailable == nil)
            implausible += table.implausible
            seen += table.tasks.count
            for task in table.tasks {
                #expect(task.name == nil || task.name?.isEmpty == false)
            }
        }
        isOver.set()
        for task in churn { _ = await task.value }
        print("churn: \(seen) seen, \(implausible) implausible")
        #expect(Captured.tasks().tasks.allSatisfy { $0.name != "churn" })
    }
}
#endif
#endif
