import Dispatch
import Foundation
import Synchronization
import TelltaleAgent

/// Objects whose `deinit` ends the process anywhere but on their owner, one of each kind, and counts of
/// how many were made and ended.
enum Bound {
    /// The owner on which a `deinit` has to run.
    enum Place: String, CaseIterable {
        case serial, concurrent, main, actor, lock, thread

        /// Ends the process anywhere else.
        func demand() {
            switch self {
            case .serial: dispatchPrecondition(condition: .onQueue(Bound.serial))
            case .concurrent: dispatchPrecondition(condition: .onQueueAsBarrier(Bound.concurrent))
            // `dispatchMain()` gives up the main thread: only the queue remains.
            case .main: dispatchPrecondition(condition: .onQueue(.main))
            case .actor: Bound.guardian.preconditionIsolated("not on its actor")
            case .lock: precondition(Bound.lock.isMine, "not under its lock")
            case .thread: precondition(Bound.maker.isHere, "not on its thread")
            }
        }
    }

    static let serial = DispatchQueue(label: "bound.serial")
    static let concurrent = DispatchQueue(label: "bound.concurrent", attributes: .concurrent)
    static let guardian = Guardian()
    static let lock = OwnedLock()
    static let maker = Maker()
    private static let holders: [Place: Holder] = Dictionary(
        uniqueKeysWithValues: Place.allCases.map { ($0, Holder($0)) })
    private static let made = Mutex<[Place: Int]>([:])
    private static let ended = Mutex<[Place: Int]>([:])
    private static let gate = DispatchSemaphore(value: 0)
    private static let races = Mutex(0)

    /// A part that is replaced.
    final class Part {
        let number: Int
        private let place: Place

        init(_ place: Place) {
            self.place = place
            number = Bound.made.withLock { made in
                made[place, default: 0] += 1
                return made[place, default: 0]
            }
        }

        deinit {
            place.demand()
            Bound.ended.withLock { $0[place, default: 0] += 1 }
        }
    }

    /// Guarded by its place.
    class Holder: @unchecked Sendable {
        let place: Place
        var part: Part?
        /// Replaced by another one as soon as it was set to nil.
        var renewed: Part? {
            didSet { if renewed == nil { renewed = Part(place) } }
        }
        var text = ""
        var list: [String] = []
        init(_ place: Place) { self.place = place }
        func renew() { part = Part(place) }
    }

    actor Guardian {
        var part: Part?
        var renewed: Part? {
            didSet { if renewed == nil { renewed = Part(.actor) } }
        }
        var text = ""
        var list: [String] = []
        func renew() { part = Part(.actor) }
        /// Has another job in line before it ends.
        func follow() {
            Task.detached { await guardian.wait(for: gate, DispatchSemaphore(value: 0)) }
            usleep(100_000)
        }
        func wait(for gate: DispatchSemaphore, _ begun: DispatchSemaphore) {
            begun.signal()
            gate.wait()
        }
    }

    /// An argument of an action, which is made by the agent's decoding.
    final class Argument: Decodable {
        let part = Part(.serial)
        init(from decoder: any Decoder) throws {
            _ = try decoder.singleValueContainer().decode(Int.self)
        }
    }

    /// A lock that knows its owner.
    final class OwnedLock: @unchecked Sendable {
        private let mutex = NSLock()
        // Written by the thread that has the lock; a thread can only find its own value there if it
        // does.
        private let owner = Atomic<Int64>(0)
        private static var here: Int64 { Int64(truncatingIfNeeded: pthread_self()) }

        var isMine: Bool { owner.load(ordering: .acquiring) == Self.here }

        func run(_ body: () -> Void) {
            mutex.lock()
            owner.store(Self.here, ordering: .releasing)
            body()
            owner.store(0, ordering: .releasing)
            mutex.unlock()
        }
    }

    /// A thread that runs the given work.
    final class Maker: @unchecked Sendable {
        private let condition = NSCondition()
        private var jobs: [() -> Void] = []
        private let id = Atomic<Int64>(0)

        var isHere: Bool {
            id.load(ordering: .acquiring) == Int64(truncatingIfNeeded: pthread_self())
        }

        init() {
            Thread.detachNewThread { [self] in
                id.store(Int64(truncatingIfNeeded: pthread_self()), ordering: .releasing)
                while true {
                    condition.lock()
                    while jobs.isEmpty { condition.wait() }
                    let job = jobs.removeFirst()
                    condition.unlock()
                    job()
                }
            }
        }

        func run(_ body: @escaping () -> Void) {
            let done = DispatchSemaphore(value: 0)
            condition.lock()
            jobs.append {
                body()
                done.signal()
            }
            condition.signal()
            condition.unlock()
            done.wait()
        }
    }

    // MARK: What the tests ask for

    static func register() {
        for place in Place.allCases {
            if place != .actor, let holder = holders[place] { register(holder, at: place) }
            renew(place)
        }
        Telltale.register(guardian, as: "bound.actor")
        Telltale.action("guardian.follow", of: guardian) { $0.follow() }
        Telltale.action("bound.take", on: serial) { (argument: Argument) -> Int in
            argument.part.number
        }
    }

    private static func register(
        _ object: some AnyObject & Sendable, at place: Place, _ prefix: String = "bound"
    ) {
        let name = "\(prefix).\(place.rawValue)"
        switch place {
        case .serial: Telltale.register(object, as: name, on: serial)
        case .concurrent: Telltale.register(object, as: name, on: concurrent)
        case .main: Telltale.register(object, as: name, on: MainActor.shared)
        case .lock: Telltale.register(object, as: name, under: { body in lock.run(body) })
        case .actor, .thread: Telltale.register(object, as: name)
        }
    }

    /// Runs a body at a place, and waits for it.
    private static func run(at place: Place, _ body: @escaping @Sendable () -> Void) {
        switch place {
        case .serial: serial.sync(execute: body)
        case .concurrent: concurrent.sync(flags: .barrier, execute: body)
        case .main: DispatchQueue.main.sync(execute: body)
        case .lock: lock.run(body)
        case .thread: maker.run(body)
        case .actor: body()
        }
    }

    private static func renew(_ place: Place) {
        guard place != .actor else {
            let done = DispatchSemaphore(value: 0)
            Task {
                await guardian.renew()
                done.signal()
            }
            return done.wait()
        }
        let holder = holders[place]
        run(at: place) { holder?.renew() }
    }

    /// Has a place wait for the gate.
    private static func block(_ place: Place) {
        let begun = DispatchSemaphore(value: 0)
        let wait: @Sendable () -> Void = {
            begun.signal()
            gate.wait()
        }
        switch place {
        case .actor:
            Task.detached { await guardian.wait(for: gate, begun) }
        case .lock, .thread: Thread.detachNewThread { run(at: place, wait) }
        case .main: DispatchQueue.main.async(execute: wait)
        case .serial: serial.async(execute: wait)
        case .concurrent: concurrent.async(flags: .barrier, execute: wait)
        }
        begun.wait()
    }

    /// Makes, registers and drops an object again and again, each at its place, while it is looked at.
    private static func race(_ place: Place, count: Int) {
        races.withLock { $0 += 1 }
        Thread.detachNewThread {
            for number in 0..<count {
                nonisolated(unsafe) var root: Holder?
                run(at: place) {
                    root = Root(place)
                    if let root { register(root, at: place, "racing") }
                }
                usleep(UInt32(500 + number % 7 * 400))
                run(at: place) { root = nil }
            }
            races.withLock { $0 -= 1 }
        }
    }

    /// A root whose own `deinit` demands its place.
    private final class Root: Holder, @unchecked Sendable {
        override init(_ place: Place) { super.init(place) }
        deinit { place.demand() }
    }

    static func perform(_ words: [String]) -> String? {
        guard words.first == "bound", words.count >= 2 else { return nil }
        if words[1] == "races" { return "\(races.withLock { $0 })" }
        if words[1] == "release" {
            gate.signal()
            return "released"
        }
        guard words.count >= 3, let place = Place(rawValue: words[2]) else { return nil }
        switch words[1] {
        case "renew": renew(place)
        case "block": block(place)
        case "race": race(place, count: Int(words.last ?? "") ?? 100)
        case "counts":
            return "\(made.withLock { $0[place] ?? 0 }) \(ended.withLock { $0[place] ?? 0 })"
        default: return nil
        }
        return "done"
    }
}
