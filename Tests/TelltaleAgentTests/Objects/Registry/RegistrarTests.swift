#if TELLTALE_AGENT
import Dispatch
import Synchronization
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

private final class Thing: Sendable {}

/// An object that does something at its end.
private final class Guard: Sendable {
    private let atEnd: @Sendable () -> Void

    init(_ atEnd: @escaping @Sendable () -> Void) { self.atEnd = atEnd }

    deinit { atEnd() }
}

@Suite("What a host registers", .serialized, .timeLimit(.minutes(1)))
struct RegistrarTests {
    private static var objects: Registry<RegistryEntry> { SharedState.current.objects }

    private static func isNoted(_ start: String) -> Bool {
        Telltale.status.problems.contains { $0.hasPrefix(start) }
    }

    @Test("an object is found at once by its name, the latest one, until its token ends that")
    func names() {
        let things = [Thing(), Thing()]
        let first = Telltale.register(things[0], as: "registrar.thing")
        #expect(Self.objects.entry("registrar.thing")?.identifier == first.identifier)
        let second = Telltale.register(things[1], as: "registrar.thing")
        #expect(Self.objects.entry("registrar.thing")?.identifier == second.identifier)
        #expect(Self.isNoted("registrar.thing was registered again"))
        first.end()
        #expect(Self.objects.entry("registrar.thing") != nil)
        second.end()
        #expect(Self.objects.entry("registrar.thing") == nil)
    }

    @Test("a command's name and none at all are refused, and that is said")
    func refused() {
        let thing = Thing()
        for name in ["stuck", ""] { Telltale.register(thing, as: name) }
        #expect(Self.isNoted("an object can't be registered as `stuck`"))
        #expect(Self.isNoted("an object can't be registered as ``"))
        #expect(Self.objects.entry("stuck") == nil && Self.objects.entry("") == nil)
    }

    @Test("an object that has gone is told to be gone")
    func gone() {
        weak var object: Thing?
        let token: Registration
        do {
            let thing = Thing()
            object = thing
            token = Telltale.register(thing, as: "registrar.gone")
        }
        #expect(object == nil)
        #expect(Self.objects.entry("registrar.gone")?.isGone == true)
        token.end()
    }

    @Test("a property is listed with its object, and goes with it")
    func properties() throws {
        var tokens: [Registration] = []
        do {
            let thing = Thing()
            tokens.append(Telltale.register(thing, as: "registrar.owner"))
            tokens.append(Telltale.property("size", of: thing) { _ in 1 })
            let property = try #require(Self.objects.entry("registrar.owner.size"))
            #expect(property.isMade && !property.isListed && !property.isGone)
            #expect(property.isLeftOutOfDumps)
        }
        #expect(Self.objects.entry("registrar.owner.size")?.isGone == true)
        for token in tokens { token.end() }
    }

    @Test("the queue of an object is observed as long as the object is there")
    func queues() throws {
        let queue = DispatchQueue(label: "registrar")
        func isObserved() -> Bool {
            SharedState.current.observedQueues.contains { $0.queue === queue }
        }
        do {
            let thing = Thing()
            Telltale.register(thing, as: "registrar.queued", on: queue)
            #expect(withExtendedLifetime(thing) { isObserved() })
        }
        Self.objects.sweep()
        try waitUntil("its entry is let go") { !isObserved() }
    }

    @Test("the end of what was replaced may use what is registered")
    func replaced() throws {
        let ended = Atomic(0)
        let thing = Thing()
        let end: @Sendable () -> Void = {
            Telltale.register(Thing(), as: "registrar.other").end()
            _ = Telltale.status
            ended.add(1, ordering: .releasing)
        }
        do {
            let held = Guard(end)
            Telltale.register(
                thing, as: "registrar.held", under: { body in withExtendedLifetime(held, body) })
        }
        let token = Telltale.register(thing, as: "registrar.held")
        try waitUntil("the closure has gone") { ended.load(ordering: .acquiring) == 1 }
        token.end()
    }
}
#endif
