#if TELLTALE_AGENT
import Dispatch
import TelltalePicture
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

private actor Vault {
    actor Drawer {
        var coins = 0
    }
    let drawers = [Drawer(), Drawer(), Drawer()]
    func hold(_ body: @Sendable () -> Void) { body() }
    func deposit() {}
    func audit(_ tasks: WaitingTasks) async { await tasks.pause() }
}

private actor Crate<Content: Sendable> {
    func hold(_ body: @Sendable () -> Void) { body() }
    func put(_ content: Content) {}
}

private final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "clerk")
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

private actor Clerk {
    private let executor = QueueExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }
    func hold(_ body: @Sendable () -> Void) { body() }
    func note() {}
}

private func capture() throws -> Picture { try Captured.picture([.tasks, .actors]) }

private func address(of object: AnyObject) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
}

#if os(Linux) && arch(x86_64)
@Suite("Actors found in memory", .serialized)
struct ActorCaptureTests {
    @Test("why no more is read is said: there is no room, or no time")
    func end() {
        let many = Array(
            repeating: ActorFacts(address: 0, typeName: ""), count: ActorCapture.mostActors + 1)
        let full = ActorCapture(actors: many, notes: [])
        #expect(full.end(by: .now.advanced(by: .seconds(60))) == ": no more than 50,000 are kept")
        let one = ActorCapture(actors: Array(many.prefix(1)), notes: [])
        #expect(one.end(by: .now.advanced(by: .seconds(60))) == nil)
        #expect(one.end(by: MonotonicTime(nanoseconds: 0)) == " by the deadline")
    }

    @Test("idle actors are found, each once, and no others")
    func idle() throws {
        let vaults = (0..<40).map { _ in Vault() }
        let picture = try capture()
        #expect(picture.gaps == [])
        let found = picture.actors.filter { $0.typeName == "Vault" }
        #expect(found.map(\.address).sorted() == vaults.map { address(of: $0) }.sorted())
        #expect(found.allSatisfy { $0.state == .idle && $0.jobs == [] && $0.note == nil })
        #expect(picture.actors.filter { $0.typeName == "Vault.Drawer" }.count == 120)
        withExtendedLifetime(vaults) {}
    }

    @Test("freed actors are not found")
    func freed() throws {
        do {
            let vaults = (0..<40).map { _ in Vault() }
            withExtendedLifetime(vaults) {}
        }
        #expect(try capture().actors.filter { $0.typeName == "Vault" }.count == 0)
    }

    @Test("the agent's own tables of actor classes are no actors, whatever freed blocks held")
    func ownTables() throws {
        let images = try #require(LoadedImages.read(after: nil))
        var tables: [ActorClasses] = []
        for _ in 0..<64 {
            // Plausible as the size of a heap block and as the counts of an object.
            let blocks = stride(from: 2, through: 1024, by: 2).map { words in
                let block = UnsafeMutablePointer<UInt>.allocate(capacity: words)
                block.initialize(repeating: 0x101, count: words)
                return block
            }
            blocks.forEach { $0.deallocate() }
            tables.append(try #require(ActorClasses.search(images, until: Captured.soon)).classes)
        }
        #expect(try capture().actors.filter { $0.typeName == "Vault" }.isEmpty)
        withExtendedLifetime(tables) {}
    }

    @Test("a busy actor is running, with those that wait for it", arguments: [false, true])
    func busy(isGeneric: Bool) async throws {
        let vault = Vault()
        let crate = Crate<Int>()
        let at = isGeneric ? address(of: crate) : address(of: vault)
        let isHeld = DoneFlag()
        let mayEnd = DoneFlag()
        let wait: @Sendable () -> Void = {
            isHeld.set()
            while !mayEnd.isSet { _ = NativeThread.currentID }
        }
        let holder = Task.detached {
            isGeneric ? await crate.hold(wait) : await vault.hold(wait)
        }
        defer { mayEnd.set() }
        try await waitWithoutBlocking(until: "the actor is held") { isHeld.isSet }
        let waiters = (0..<3).map { _ in
            Task.detached { isGeneric ? await crate.put(1) : await vault.deposit() }
        }
        try await waitWithoutBlocking(until: "three wait for the actor") {
            ActorReader.read(at: at)?.waiting == 3
        }
        let found = try #require(try capture().actors.first { $0.address == at })
        #expect(found.typeName == (isGeneric ? "Crate<…>" : "Vault"))
        #expect(found.state == .running && found.waiting == 3)
        #expect(Set(found.jobs) == Set(waiters.map { unsafeBitCast($0, to: UInt.self) }))
        mayEnd.set()
        await holder.value
        for task in waiters { await task.value }
    }

    @Test("the images are looked through once, also for types whose names can't be read")
    func classesAreKept() throws {
        let soon = MonotonicTime.now.advanced(by: .seconds(30))
        let first = try #require(ActorClasses.current(until: soon))
        let second = try #require(ActorClasses.current(until: soon))
        #expect(first.areAll && second.areAll)
        #expect(!first.classes.classes.isEmpty)
        #expect(first.classes === second.classes)
    }

    @Test("an actor with an executor of its own is said to have one")
    func custom() async throws {
        let clerk = Clerk()
        let found = try #require(
            try capture().actors.first { $0.address == address(of: clerk) })
        #expect(found.state == .custom && found.typeName == "Clerk")
        #expect(found.note == "it has an executor of its own")
        await clerk.note()
    }

    @Test("an actor whose method waits for a continuation is idle, its task isn't")
    func reentrant() async throws {
        let vault = Vault()
        let waiting = WaitingTasks()
        let task = Task(name: "v audit") { await vault.audit(waiting) }
        try await waiting.settle(1)
        var found = try capture()
        try await waitWithoutBlocking(until: "the audit is suspended") {
            found = try capture()
            return found.tasks.first { $0.name == "v audit" }?.state == .suspended
                && found.actors.first { $0.address == address(of: vault) }?.state
                    != .running
        }
        let audit = try #require(found.tasks.first { $0.name == "v audit" })
        #expect(audit.waitsFor == .continuation && audit.frames.count >= 3)
        #expect(
            found.actors.first { $0.address == address(of: vault) }?.state == .idle)
        waiting.letGo()
        await task.value
    }

    @Test("the slot of what a thread runs on was found")
    func slot() {
        let layout = TaskLayout.known(by: .now.advanced(by: .seconds(30)))
        #expect(layout.executorSlot < 0)
    }
}
#endif
#endif
