#if TELLTALE_AGENT
import Dispatch
import Foundation
import Synchronization
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent

private final class Service: Sendable {
    private struct State {
        var jobs = ["a": 1]
        var total = 7
        var last: Tenant?
    }
    struct Own: ~Copyable { let lock = Mutex([1, 2]) }

    private let state = Mutex(State())
    let counter = Mutex(5)
    let own = Own()
    let limit = 3
    nonisolated(unsafe) var open = 1

    func adopt() { state.withLock { $0.last = Tenant(of: self) } }
    func hold(_ body: () -> Void) { state.withLock { _ in body() } }
    var jobs: [String: Int] { state.withLock { $0.jobs } }
    var total: Int { state.withLock { $0.total } }
    func left() { state.withLock { $0.total += 1 } }
}

/// Takes its service's lock when it goes.
private final class Tenant: Sendable {
    private let service: Service
    init(of service: Service) { self.service = service }
    deinit { service.left() }
}

@Suite("What a Mutex guards is changed in it")
struct ChangingMutexTests {
    private let service = Service()

    private func set(_ path: String, _ text: String) throws -> PerformedChange {
        var writer = changingWriter()
        // As it is registered: Sendable, without an owner.
        writer.isGuarded = false
        let (guarded, edit) = (writer, ValueEdit.assign(TypedText(text)))
        return try turns(of: edit) {
            try guarded.change(
                .object(service), rootName: "host",
                path: try ValuePath(parsing: "host" + path).components, edit)
        }
    }

    @Test("a property, an entry, an element and the whole value; each can be put back")
    func values() throws {
        let total = try set(".state.total", "12")
        #expect(service.total == 12)
        #expect(total.oldText == "7" && total.newText == "12")
        _ = try set(".state.jobs[\"b\"]", "2")
        #expect(service.jobs == ["a": 1, "b": 2])
        _ = try set(".counter", "6")
        #expect(service.counter.withLock { $0 } == 6)
        _ = try set(".own.lock[1]", "9")
        #expect(service.own.lock.withLock { $0 } == [1, 9])
        var writer = changingWriter()
        writer.isGuarded = false
        _ = try writer.undo(total, root: .object(service))
        #expect(service.total == 7)
    }

    @Test("what no lock guards is refused without an owner")
    func unguarded() {
        for path in [".limit", ".open"] {
            let failure = #expect(throws: CommandFailure.self) { try set(path, "4") }
            #expect(failure?.message.contains("without an owner") == true, "\(path)")
        }
        #expect(service.open == 1)
    }

    @Test("an old value that takes the lock when it goes is let go outside of it")
    func tenant() throws {
        service.adopt()
        do { _ = try set(".state.last", "nil") }
        try waitUntil("the old value has added what it had") { service.total == 8 }
    }

    @Test("a lock that is held leaves everything as it was, and its holder is said")
    func held() throws {
        let (isHeld, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let service = service
        Thread.detachNewThread {
            service.hold {
                isHeld.signal()
                mayEnd.wait()
            }
        }
        isHeld.wait()
        let failure = #expect(throws: CommandFailure.self) { try set(".state.total", "1") }
        #expect(failure?.code == .timeout)
        #expect(failure?.message.contains("held its lock for 200 ms") == true, "\(failure as Any)")
        mayEnd.signal()
        #expect(service.total == 7)
    }

    @Test("eight threads count while it is set: no count is lost between two settings")
    func stress() throws {
        let group = DispatchGroup()
        for _ in 0..<8 {
            group.enter()
            Thread.detachNewThread { [service] in
                for _ in 0..<20_000 { service.counter.withLock { $0 += 1 } }
                group.leave()
            }
        }
        // A million more or less is no count of theirs, so that each of ours is seen whole.
        var set = 0
        while group.wait(timeout: .now()) == .timedOut {
            guard let change = try? self.set(".counter", "\(set * 1_000_000)") else { continue }
            let old = Int(change.oldText) ?? -1
            if set > 0 {
                #expect(old - (set - 1) * 1_000_000 <= 160_000 && old >= (set - 1) * 1_000_000)
            }
            set += 1
        }
        #expect(set > 0)
        #expect(service.counter.withLockIfAvailable { _ in true } == true)
    }
}
#endif
