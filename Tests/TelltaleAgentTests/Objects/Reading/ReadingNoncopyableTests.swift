#if TELLTALE_AGENT
import Dispatch
import Foundation
import Synchronization
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleAgent

private struct Job: Hashable, Sendable {
    var name: String
    var size: Int
}

private final class Reference: @unchecked Sendable {
    var count = 4
}

private struct Own: ~Copyable {
    let lock = Mutex([1, 2])
    var name = "own"
}

private protocol Named: Sendable {}
extension Job: Named {}

/// The kinds of values that a service keeps in a `Mutex`, private ones first.
private class Service: @unchecked Sendable {
    private struct State {
        var jobs: [Int: Job] = [3: Job(name: "x", size: 9)]
        var total = 7
        var later: (@Sendable () -> Void)?
    }
    private enum Phase { case idle, running(Job) }

    private let state = Mutex(State())
    private let phase = Mutex(Phase.running(Job(name: "p", size: 1)))
    let counter = Mutex(5)
    let byte = Mutex<UInt8>(255)
    let wide = Mutex(SIMD4<Int32>(1, 2, 3, 4))
    let map = Mutex<[String: [Job]]>(["k": [Job(name: "a", size: 1)]])
    let both = Mutex<[Job: Job]?>([Job(name: "a", size: 1): Job(name: "b", size: 2)])
    let handlers = Mutex<[@Sendable () -> Void]>([])
    let failure = Mutex<(any Error)?>(nil)
    let labelled = Mutex<(Int, name: String)>((1, name: "two"))
    let reference = Mutex(Reference())
    let text = Mutex(String(repeating: "long", count: 20))
    let apiToken = Mutex("hush")
    let hits = Atomic<Int>(3)
    let isOpen = Atomic<Bool>(true)
    let own = Own()
    let inner = Mutex<Mutexes?>(Mutexes())

    func holdState(_ body: () -> Void) { state.withLock { _ in body() } }
    var total: Int { state.withLock { $0.total } }
}

private final class Mutexes: Sendable {
    let deep = Mutex(11)
}

private final class Generic<Element: Sendable>: Sendable {
    let items: Mutex<[Element]>
    init(_ items: [Element]) { self.items = Mutex(items) }
}

private final class Derived: Service, @unchecked Sendable {
    let more = Mutex([1, 2, 3])
}

private actor Account {
    let log = Mutex(["opened"])
    var balance = 1
}

@Suite("What can't be copied is read in its lock")
struct ReadingNoncopyableTests {
    private let service = Derived()

    @Test(
        "each kind of value",
        arguments: [
            ("counter", "5"), ("byte", "255"), ("map", "[\"k\": [Job(name: \"a\", size: 1)]]"),
            ("handlers", "[]"), ("failure", "nil"), ("labelled", "(1, name: \"two\")"),
            ("hits", "3"), ("isOpen", "true"), ("more", "[1, 2, 3]"),
            ("phase", ".running(Job(name: \"p\", size: 1))"), ("state.total", "7"),
            ("state.jobs[3].name", "\"x\""), ("state.later", "nil"), ("reference.count", "4"),
            ("own.name", "\"own\""), ("own.lock", "[1, 2]"), ("own.lock[1]", "2"),
            ("inner.deep", "11"), ("map.count", "1"), ("text.count", "80"), ("more.last", "3"),
        ])
    func values(_ path: String, _ text: String) throws {
        let node = try ValueReader.usual().read(service, "x." + path)
        #expect(node.plainText == text, "\(node)")
    }

    @Test("a tree has them where they stand, and every lock is free afterwards")
    func tree() throws {
        let node = try ValueReader.usual().read(service)
        let byLabel = Dictionary(uniqueKeysWithValues: node.children.map { ($0.label ?? "", $0) })
        #expect(byLabel["state"]?.note == "in its Mutex")
        #expect(byLabel["state"]?.children.map(\.label) == ["jobs", "total", "later"])
        #expect(byLabel["apiToken"]?.kind == .masked)
        #expect(byLabel["both"]?.count == 1)
        #expect(byLabel["wide"]?.kind != .unavailable)
        #expect(node.children.allSatisfy { $0.kind != .unavailable }, "\(node.plainText)")
        service.holdState {}
        #expect(service.counter.withLockIfAvailable { $0 } == 5)
    }

    @Test("in a generic class, a class of a library's, and an actor")
    func owners() throws {
        let reader = ValueReader.usual()
        #expect(try reader.read(Generic(["x"]), "x.items").plainText == "[\"x\"]")
        #expect(
            try reader.read(Generic([Job(name: "g", size: 1)]), "x.items[0].name").plainText
                == "\"g\"")
        #expect(try reader.read(Account(), "x.log").plainText == "[\"opened\"]")
    }

    @Test("what nobody else guards is read in place, since the lock does")
    func plain() throws {
        let node = try ValueReader.usual().readPlain(
            .object(service), rootName: "x", path: ValuePath(parsing: "x.map").components)
        #expect(node?.plainText == "[\"k\": [Job(name: \"a\", size: 1)]]")
    }

    @Test(
        "a lock that is held costs its deadline and is said with its holder; then it is free again")
    func held() throws {
        let (isHeld, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let service = service
        let holder = Mutex<Int64>(0)
        Thread.detachNewThread {
            service.holdState {
                holder.withLock { $0 = NativeThread.currentID }
                isHeld.signal()
                mayEnd.wait()
            }
        }
        isHeld.wait()
        let began = MonotonicTime.now
        let node = try ValueReader.usual().read(service)
        let took = MonotonicTime.now.since(began)
        let state = node.children.first { $0.label == "state" }
        #expect(state?.kind == .unavailable)
        #expect(state?.note == "thread \(holder.withLock { $0 }) holds its lock")
        #expect(took >= .milliseconds(200) && took < .seconds(2), "\(took)")
        let failure = #expect(throws: CommandFailure.self) {
            try ValueReader.usual().read(service, "x.state.total")
        }
        #expect(failure?.code == .timeout)
        #expect(failure?.message.contains("holds its lock") == true)
        mayEnd.signal()
        service.holdState {}
        #expect(try ValueReader.usual().read(service, "x.state.total").text == "7")
    }

    @Test("the thread that has the lock reads without taking it again")
    func own() throws {
        let seen = try service.counter.withLock { value in
            value = 6
            return try ValueReader.usual().read(service, "x.counter").text
        }
        #expect(seen == "6")
        #expect(service.counter.withLockIfAvailable { $0 } == 6)
    }

    @Test("under eight threads that change it nothing is torn, lost or left locked")
    func stress() throws {
        let shared = Generic<[String]>([])
        let stop = Atomic(false)
        let changes = Atomic(0)
        let group = DispatchGroup()
        for number in 0..<8 {
            Thread.detachNewThread {
                group.enter()
                while !stop.load(ordering: .relaxed) {
                    shared.items.withLock { items in
                        let text = "thread \(number) \(UInt8.random(in: 0...9))"
                        items = Array(repeating: Array(repeating: text, count: 3), count: 4)
                    }
                    changes.add(1, ordering: .relaxed)
                }
                group.leave()
            }
        }
        var read = 0
        let end = MonotonicTime.now.advanced(by: .seconds(2))
        while MonotonicTime.now < end {
            let node = try ValueReader.usual().read(shared, "x.items")
            guard node.kind == .array else { continue }
            let texts = node.children.flatMap { $0.children.map { $0.text ?? "?" } }
            #expect(Set(texts).count <= 1, "\(texts)")
            #expect(texts.allSatisfy { $0.hasPrefix("\"thread ") })
            if texts.count == 12 { read += 1 }
        }
        stop.store(true, ordering: .relaxed)
        #expect(group.wait(timeout: .now() + 20) == .success)
        #expect(read > 20 && changes.load(ordering: .relaxed) > 100)
        #expect(shared.items.withLockIfAvailable { $0.count } == 4)
    }
}
#endif
