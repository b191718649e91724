#if TELLTALE_AGENT
import Synchronization
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

/// The runtime's state of an object that no reference of the agent keeps alive.
@Suite(.timeLimit(.minutes(1)))
struct HostReferenceTests {
    private final class Thing: Sendable {
        static let ended = Atomic(0)
        private let atEnd: (@Sendable () -> Void)?
        init(_ atEnd: (@Sendable () -> Void)? = nil) { self.atEnd = atEnd }
        deinit {
            atEnd?()
            Self.ended.add(1, ordering: .relaxed)
        }
    }

    private static func address(_ thing: Thing) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(thing).toOpaque())
    }

    @Test("a living object has its address and can be retained, and lives no longer for that")
    func alive() {
        let ended = Atomic(0)
        func look() -> HostReference {
            let thing = Thing { ended.add(1, ordering: .relaxed) }
            let reference = HostReference(thing)
            #expect(reference.address == Self.address(thing))
            #expect(reference.retained() === thing)
            return reference
        }
        let reference = look()
        #expect(ended.load(ordering: .relaxed) == 1)
        #expect(reference.address == nil && reference.retained() == nil)
    }

    @Test("the address of an object that was freed is nobody else's until that was noticed")
    func address() {
        func make() -> (HostReference, UInt) {
            let thing = Thing()
            return (HostReference(thing), Self.address(thing))
        }
        let (reference, address) = make()
        let others = (0..<1000).map { _ in Thing() }
        #expect(!others.contains { Self.address($0) == address })
        withExtendedLifetime(others) {}
        #expect(reference.isGone)
    }

    @Test("in its own deinit an object is gone and can't be retained")
    func ending() {
        let box = Mutex<HostReference?>(nil)
        let seen = Mutex<[Bool]>([])
        func make() {
            let thing = Thing {
                guard let reference = box.withLock({ $0 }) else { return }
                let isGone = reference.retained() == nil && reference.address == nil
                seen.withLock { $0.append(isGone) }
            }
            box.withLock { $0 = HostReference(thing) }
        }
        make()
        #expect(seen.withLock { $0 } == [true])
    }

    @Test("what was read of an object that went in the middle is not told")
    func middle() throws {
        let box = Mutex<Thing?>(Thing())
        let reference = try #require(box.withLock { $0.map { HostReference($0) } })
        #expect(try reference.withAddress { _ in 1 } == 1)
        let read = try reference.withAddress { _ in
            box.withLock { $0 = nil }
            return 1
        }
        #expect(read == nil)
    }

    @Test("a thousand objects that are looked at while they go end exactly once each")
    func race() throws {
        let current = Locked<HostReference?>(nil)
        let isDone = DoneFlag()
        let looks = Atomic(0)
        let lookers = Atomic(0)
        for number in 0..<2 {
            lookers.add(1, ordering: .relaxed)
            try NativeThread.start(name: "looker") {
                while !isDone.isSet {
                    let reference = current.withLock { $0 }
                    if number == 0 {
                        _ = reference?.address
                    } else {
                        withExtendedLifetime(reference?.retained()) {}
                    }
                    looks.add(1, ordering: .relaxed)
                }
                lookers.subtract(1, ordering: .relaxed)
            }
        }
        let ended = Atomic(0)
        for _ in 0..<1000 {
            let thing = Thing { ended.add(1, ordering: .relaxed) }
            current.withLock { $0 = HostReference(thing) }
            let before = looks.load(ordering: .relaxed)
            try waitUntil("it is looked at") { looks.load(ordering: .relaxed) != before }
            withExtendedLifetime(thing) {}
        }
        isDone.set()
        try waitUntil("the lookers end") { lookers.load(ordering: .relaxed) == 0 }
        #expect(ended.load(ordering: .relaxed) == 1000)
    }
}
#endif
