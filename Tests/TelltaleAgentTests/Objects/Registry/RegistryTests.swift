#if TELLTALE_AGENT
import Dispatch
import Synchronization
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

/// A thing that can be said to be gone.
private final class Thing: Registered {
    let number: Int
    private let end: Atomic<Bool>
    let isRemains: Bool
    private let atEnd: (@Sendable () -> Void)?
    /// The number of times all of them were asked whether they are gone.
    static let questions = Atomic(0)

    init(_ number: Int, isRemains: Bool = false, atEnd: (@Sendable () -> Void)? = nil) {
        self.number = number
        self.isRemains = isRemains
        self.atEnd = atEnd
        end = Atomic(isRemains)
    }

    deinit { atEnd?() }

    var isGone: Bool {
        Self.questions.add(1, ordering: .relaxed)
        return end.load(ordering: .relaxed)
    }
    var remains: Thing? { number % 2 == 0 ? Thing(number, isRemains: true) : nil }
    func leave() { end.store(true, ordering: .relaxed) }
}

@Suite("What is registered", .serialized)
struct RegistryTests {
    private func add(_ numbers: some Sequence<Int>, to registry: Registry<Thing>) -> [Thing] {
        numbers.map { number in
            let thing = Thing(number)
            #expect(registry.add(thing, identifier: UInt64(number), as: "\(number)") == nil)
            return thing
        }
    }

    @Test("names keep their order, also where others were taken out and put in again")
    func order() {
        let registry = Registry<Thing>()
        let things = add(0..<200, to: registry)
        for number in stride(from: 0, to: 200, by: 3) {
            #expect(registry.remove(UInt64(number)) === things[number])
            #expect(registry.remove(UInt64(number)) == nil)
        }
        var expected = Array(0..<200).filter { $0 % 3 != 0 }
        #expect(registry.all.map(\.number) == expected)
        for number in 0..<150 where number % 3 != 0 { _ = registry.remove(UInt64(number)) }
        expected.removeAll { $0 < 150 }
        _ = add(300..<310, to: registry)
        #expect(registry.all.map(\.number) == expected + Array(300..<310))
        for number in expected { #expect(registry.entry("\(number)") === things[number]) }
        #expect(registry.entry("3") == nil)
    }

    @Test("a second one of a name has the first one's place, and the first's token ends nothing")
    func replacing() {
        let registry = Registry<Thing>()
        let things = add(0..<3, to: registry)
        let second = Thing(7)
        #expect(registry.add(second, identifier: 7, as: "1") === things[1])
        #expect(registry.remove(1) == nil)
        #expect(registry.all.map(\.number) == [0, 7, 2])
        #expect(registry.remove(7) === second)
        #expect(registry.all.map(\.number) == [0, 2])
    }

    @Test("of those that are gone the latest found stay by name, and the others are counted")
    func gone() {
        let registry = Registry<Thing>()
        let things = add(0..<1000, to: registry)
        for thing in things[..<900] { thing.leave() }
        registry.sweep()
        // The odd ones leave nothing.
        let remains = registry.all.filter(\.isRemains)
        #expect(remains.map(\.number) == Array(stride(from: 900 - 128, to: 900, by: 2)))
        #expect(registry.present.map(\.number) == Array(900..<1000))
        #expect(registry.forgotten == 900 - 64)
        registry.sweep()
        #expect(registry.forgotten == 900 - 64)
        // One whose name is taken back makes room for the next.
        #expect(registry.remove(898) != nil)
        for thing in things[900..<902] { thing.leave() }
        registry.sweep()
        #expect(registry.all.filter(\.isRemains).count == 64)
        #expect(registry.entry("772")?.isRemains == true)
        // A name that went can be had again.
        let again = Thing(896)
        #expect(registry.add(again, identifier: 2000, as: "896")?.isRemains == true)
        #expect(registry.entry("896") === again)
    }

    @Test("a registration looks at two others, however many there are")
    func looking() {
        let registry = Registry<Thing>()
        _ = add(0..<10_000, to: registry)
        let before = Thing.questions.load(ordering: .relaxed)
        _ = add(10_000..<10_100, to: registry)
        #expect(Thing.questions.load(ordering: .relaxed) - before <= 200)
    }

    @Test("what is found gone is let go on a worker, and not by whoever registers something else")
    func letGo() throws {
        SharedState.current.releases.use(WorkerPool(limit: 4))
        let registry = Registry<Thing>()
        let own = NativeThread.currentID
        let place = Mutex<Int64?>(nil)
        let lock = Mutex(0)
        do {
            // Its end takes a lock that the next registration is made under.
            let thing = Thing(1) {
                place.withLock { $0 = NativeThread.currentID }
                lock.withLock { $0 += 1 }
            }
            _ = registry.add(thing, identifier: 1, as: "1")
            thing.leave()
        }
        lock.withLock { _ in
            let next = Thing(2)
            #expect(registry.add(next, identifier: 2, as: "2") == nil)
        }
        try waitUntil("it is let go") { lock.withLock { $0 == 1 } }
        #expect(place.withLock { $0 } != own)
    }

    @Test("what remains of an actor's closure is no object that would greet, and holds no closure")
    func closure() {
        actor Till {}
        let till = Till()
        let entry = RegistryEntry(
            identifier: 1, name: "till.sum",
            target: .closure(
                HeldValue({ @Sendable in 1 }, of: .none, .toOwnerOrHost), of: HostReference(till)),
            owner: .none, type: Int.self, isLeftOutOfDumps: false)
        let remains = entry.remains
        #expect(remains?.isMade == true && remains?.reference == nil)
        #expect(withExtendedLifetime(till) { remains?.held?.isGone } == false)
    }

    @Test("of those that come and go there are never many, though nobody sweeps")
    func coming() {
        let registry = Registry<Thing>()
        let living = add(0..<50, to: registry)
        var most = 0
        for number in 50..<5000 {
            add([number], to: registry).first?.leave()
            most = max(most, registry.all.count)
        }
        #expect(most < 250)
        #expect(registry.present.prefix(50).elementsEqual(living, by: ===))
    }
}
#endif
