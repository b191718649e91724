#if TELLTALE_AGENT
import Dispatch
import Synchronization
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent

private final class Thing: Sendable {}

/// What does something at its end.
private final class Guard: Sendable {
    private let atEnd: @Sendable () -> Void

    init(_ atEnd: @escaping @Sendable () -> Void) { self.atEnd = atEnd }

    deinit { atEnd() }
}

/// What is registered, with what is noted of it, as this process has one of its own.
private struct Registered: Sendable {
    let noted = NotedObjects()
    let registry = Registry<RegistryEntry>()
    let probes = QueueProbes()

    @discardableResult
    func note(
        _ object: AnyObject, _ identifier: Int, as name: String, owner: Owner = .none
    ) -> NotedObjects.Next {
        noted.note(
            NotedObjects.Note(
                object, identifier: UInt64(identifier), name: name, owner: owner,
                isLeftOutOfDumps: false))
    }

    struct Settled {
        let entry: RegistryEntry
        let replaced: RegistryEntry?
        let isRefused: Bool
    }

    @discardableResult
    func settle() -> [Settled] {
        var all: [Settled] = []
        let gone = noted.settle(in: registry, probes) {
            all.append(Settled(entry: $0, replaced: $1, isRefused: $2))
        }
        Registry.letGo(gone)
        return all
    }
}

/// A thread that can be waited for.
private struct Running {
    private let end = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () -> Void) throws {
        try NativeThread.start(name: "test") { [end] in
            body()
            end.signal()
        }
    }

    func join() { end.wait() }
}

@Suite("What is registered and nobody has asked for yet", .serialized, .timeLimit(.minutes(1)))
struct NotedObjectsTests {
    @Test("those noted are settled in their order, with what each has replaced and who was refused")
    func order() {
        let registered = Registered()
        let things = (0..<5).map { _ in Thing() }
        let names = ["first", "second", "stuck", "first", ""]
        for (number, name) in names.enumerated() {
            #expect(registered.note(things[number], number + 1, as: name) == .nothing)
        }
        #expect(registered.registry.all.isEmpty && !registered.noted.isEmpty)
        let settled = registered.settle()
        #expect(settled.map(\.entry.name) == names)
        #expect(settled.map(\.isRefused) == [false, false, true, false, true])
        #expect(settled.map(\.replaced?.identifier) == [nil, nil, nil, 1, nil])
        #expect(registered.registry.all.map(\.identifier) == [4, 2])
        #expect(registered.noted.isEmpty && registered.settle().isEmpty)
    }

    @Test("a registration waits for nobody, also not for one who is looking for what is registered")
    func waiting() throws {
        let registered = Registered()
        let things = [Thing(), Thing()]
        registered.note(things[0], 1, as: "first")
        registered.settle()
        let isHeld = Mutex(false)
        let isFree = DispatchSemaphore(value: 0)
        let thread = try Running {
            _ = registered.registry.latest { _ in
                isHeld.withLock { $0 = true }
                isFree.wait()
                return false
            }
        }
        try waitUntil("somebody holds the lock") { isHeld.withLock { $0 } }
        let isNoted = Mutex(false)
        let noter = try Running {
            registered.note(things[1], 2, as: "second")
            isNoted.withLock { $0 = true }
        }
        try waitUntil("it is noted") { isNoted.withLock { $0 } }
        isFree.signal()
        thread.join()
        noter.join()
        #expect(registered.settle().map(\.entry.name) == ["second"])
    }

    @Test("what several threads note while others settle is all there, each thread's in its order")
    func several() throws {
        let registered = Registered()
        let (thing, count, each) = (Thing(), 4, 2000)
        let left = Atomic(count)
        let noters = try (0..<count).map { thread in
            try Running {
                for number in 0..<each {
                    registered.note(thing, thread * each + number, as: "\(thread).\(number)")
                }
                left.subtract(1, ordering: .releasing)
            }
        }
        let settlers = try (0..<2).map { _ in
            try Running {
                while left.load(ordering: .acquiring) > 0 { registered.settle() }
            }
        }
        for thread in noters + settlers { thread.join() }
        registered.settle()
        let all = registered.registry.all.map(\.identifier)
        #expect(all.count == count * each && registered.noted.isEmpty)
        for thread in 0..<count {
            let own = all.filter { Int($0) / each == thread }
            #expect(own == own.sorted())
        }
    }

    @Test("whoever finds nothing noted finds everything settled")
    func settling() throws {
        let registered = Registered()
        let thing = Thing()
        let isDone = Atomic(false)
        let settler = try Running {
            while !isDone.load(ordering: .acquiring) { registered.settle() }
        }
        for round in 1...500 {
            for number in 0..<20 { registered.note(thing, round, as: "thing \(number)") }
            while !registered.noted.isEmpty { NativeThread.yield() }
            #expect(registered.registry.entry("thing 19")?.identifier == UInt64(round))
        }
        isDone.store(true, ordering: .releasing)
        settler.join()
    }

    @Test("with a thousand a worker is asked, and one who notes thousands settles them")
    func bounds() {
        let registered = Registered()
        let thing = Thing()
        let next = (1...4096).map { registered.note(thing, $0, as: "\($0)") }
        #expect(
            next.enumerated().filter { $0.element != .nothing }.map(\.offset) == [
                1023, 2047, 3071, 4095,
            ])
        #expect(next[1023] == .asksWorker && next[4095] == .settles)
    }

    @Test("those that go soon are settled soon, so that their memory is not kept")
    func soon() {
        let registered = Registered()
        let thing = Thing()
        for number in 1...17 {
            #expect(registered.note(thing, number, as: "\(number)") == .nothing)
        }
        registered.note(Thing(), 18, as: "18")
        for number in 19..<32 {
            #expect(registered.note(thing, number, as: "\(number)") == .nothing)
        }
        #expect(registered.note(thing, 32, as: "32") == .settles)
        #expect(registered.settle().map(\.entry.identifier) == Array(1...32))
    }

    @Test("one that is gone before it is settled is told to be gone")
    func gone() {
        let registered = Registered()
        weak var object: Thing?
        do {
            let thing = Thing()
            object = thing
            registered.note(thing, 1, as: "thing")
        }
        #expect(object == nil)
        registered.settle()
        #expect(registered.registry.entry("thing")?.isGone == true)
        #expect(registered.registry.present.isEmpty)
    }

    @Test("a closure is made an entry whose object may go, and a property one of its object's")
    func closures() {
        let registered = Registered()
        let queue = DispatchQueue(label: "noted")
        do {
            let thing = Thing()
            for (identifier, property) in [(1, nil), (2, "thing")] {
                let note = NotedObjects.Note(
                    HeldValue({ 1 }, of: .none, .toOwnerOrHost), of: HostReference(thing),
                    identifier: UInt64(identifier), name: "name \(identifier)",
                    owner: .queue(queue), type: Int.self, propertyOf: property)
                #expect(registered.noted.note(note) == .nothing)
            }
            let entries = registered.settle().map(\.entry)
            #expect(entries.allSatisfy { $0.isMade && !$0.isGone })
            #expect(entries.map(\.isListed) == [true, false])
            #expect(entries.map(\.isLeftOutOfDumps) == [false, true])
        }
        #expect(registered.registry.present.isEmpty)
    }

    @Test("a queue is observed as soon as somebody asks, and not once its object is gone")
    func queues() throws {
        let registered = Registered()
        let queue = DispatchQueue(label: "noted")
        do {
            let thing = Thing()
            registered.note(thing, 1, as: "thing", owner: .queue(queue))
            registered.settle()
            #expect(registered.probes.all.first?.queue === queue)
        }
        registered.registry.sweep()
        try waitUntil("its entry is let go") { registered.probes.all.isEmpty }
    }

    @Test("a forked child takes over what its parent has noted, and the parent still has it")
    func forks() {
        let (parent, child) = (Registered(), Registered())
        let things = (0..<3).map { _ in Thing() }
        for (number, thing) in things.enumerated() {
            parent.note(thing, number + 1, as: "thing \(number)")
        }
        #expect(child.noted.adopt(parent.noted))
        for registered in [child, parent] {
            let settled = registered.settle()
            #expect(settled.map(\.entry.identifier) == [1, 2, 3])
            #expect(settled.allSatisfy { $0.entry.reference?.isGone == false })
        }
    }

    @Test(
        "a child forked while some are settled has those that were noted since, and says that it lacks some"
    )
    func forksInTheMiddle() {
        let (parent, child) = (Registered(), Registered())
        let things = (0..<2).map { _ in Thing() }
        parent.note(things[0], 1, as: "first")
        var isWhole: Bool?
        _ = parent.noted.settle(in: parent.registry, parent.probes) { _, _, _ in
            parent.note(things[1], 2, as: "second")
            isWhole = child.noted.adopt(parent.noted)
        }
        #expect(isWhole == false)
        #expect(child.settle().map(\.entry.identifier) == [2])
        #expect(parent.settle().map(\.entry.identifier) == [2])
        #expect(parent.registry.all.map(\.identifier) == [1, 2])
    }

    @Test("one worker at a time is asked, and none for nothing")
    func asking() {
        let registered = Registered()
        #expect(!registered.noted.asks())
        registered.note(Thing(), 1, as: "thing")
        #expect(registered.noted.asks() && !registered.noted.asks())
        registered.noted.isBegun()
        #expect(registered.noted.asks())
    }

    @Test(
        "what is replaced is let go on a worker, and not by whoever asks, under a lock of its own")
    func lettingGo() throws {
        SharedState.current.releases.use(WorkerPool(limit: 4))
        let place = Mutex<Int64?>(nil)
        do {
            let held = Guard { place.withLock { $0 = NativeThread.currentID } }
            Telltale.register("noted.closure") { withExtendedLifetime(held) { 1 } }
        }
        let token = Telltale.register("noted.closure") { 2 }
        token.end()
        try waitUntil("it is let go") { place.withLock { $0 != nil } }
        #expect(place.withLock { $0 } != NativeThread.currentID)
    }

    @Test("what a replaced one's end does, it may do with what is registered")
    func replaced() throws {
        let ended = Atomic(0)
        let thing = Thing()
        let end: @Sendable () -> Void = {
            Telltale.register(Thing(), as: "noted.other").end()
            _ = Telltale.status
            ended.add(1, ordering: .releasing)
        }
        do {
            let held = Guard(end)
            Telltale.register(
                thing, as: "noted.thing", under: { body in withExtendedLifetime(held, body) })
        }
        let token = Telltale.register(thing, as: "noted.thing")
        #expect(
            Telltale.status.problems.contains { $0.hasPrefix("noted.thing was registered again") })
        try waitUntil("the closure has gone") { ended.load(ordering: .acquiring) == 1 }
        token.end()
    }
}
#endif
