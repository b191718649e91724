#if TELLTALE_AGENT
import Dispatch
import Foundation
import TelltalePicture
import TelltaleSystem
import TelltaleTestSupport

@testable import TelltaleAgent
@testable import TelltaleRuntime

/// A wait, and a party that may or may not end it, made on a thread that is gone before the search:
/// nothing may be reached from the maker's stack.
struct HeldShape: Sendable, CustomStringConvertible {
    enum Expectation: Sendable {
        /// Nothing leads to it, and all was searched.
        case nobody
        /// Something does; one of these, where there are any.
        case somebody([Kind])
    }

    enum Kind: String, Sendable { case thread, task, timer, source, item, global, object, event }

    let name: String
    let expectation: Expectation
    let make: @Sendable (Stage) -> Void

    init(_ name: String, _ expectation: Expectation, _ make: @escaping @Sendable (Stage) -> Void) {
        self.name = name
        self.expectation = expectation
        self.make = make
    }

    var description: String { name }

    /// Returns the problem of a search's result; `nil` if it is right.
    func complaint(_ holders: Holders?) -> String? {
        guard let holders else { return "nothing was searched for" }
        let kinds = Set(holders.roots.map(\.kind))
        switch expectation {
        case .nobody:
            return holders.roots.isEmpty && holders.isWhole ? nil : "it is dead: \(holders)"
        case .somebody(let wanted):
            if holders.roots.isEmpty { return "it lives: \(holders)" }
            // Part of a heap that others use meanwhile can't be walked: objects in it have no known
            // owner.
            if !holders.isWhole, kinds.contains(.object) { return nil }
            return wanted.isEmpty || !kinds.isDisjoint(with: wanted) ? nil : "by others: \(holders)"
        }
    }
}

extension Holders.Root {
    var kind: HeldShape.Kind {
        switch self {
        case .thread: .thread
        case .task: .task
        case .timer: .timer
        case .source: .source
        case .item: .item
        case .global: .global
        case .object: .object
        case .event: .event
        }
    }
}

/// The stage for making one shape: it makes threads wait without a path to the object waited for.
final class Stage: Sendable {
    private struct State {
        var waits = 0
        var threads: [Int32] = []
        /// Addresses, inverted: no search takes them for a way.
        var tasks: [UInt] = []
        var ends: [@Sendable () -> Void] = []
    }

    private let state = Locked(State())

    /// Has a thread of the program's wait, who has nothing else.
    func wait(for semaphore: DispatchSemaphore) {
        wait(for: semaphore) {
            ($0 as? DispatchSemaphore)?.wait()
        } ending: {
            ($0 as? DispatchSemaphore)?.signal()
        }
    }

    /// Has a thread of the program's wait as it is told to, who has nothing else.
    ///
    /// - Parameters:
    ///   - object: What it waits for.
    ///   - wait: Captures nothing.
    ///   - end: Captures nothing; ends the wait.
    func wait(
        for object: AnyObject, _ wait: @escaping @Sendable (AnyObject) -> Void,
        ending end: @escaping @Sendable (AnyObject) -> Void
    ) {
        let word = ~UInt(bitPattern: Unmanaged.passRetained(object).toOpaque())
        state.withLock {
            $0.waits += 1
            $0.ends.append { Self.with(word) { end($0) } }
        }
        thread { [state] in
            let id = Int32(truncatingIfNeeded: NativeThread.currentID)
            state.withLock { $0.threads.append(id) }
            Self.with(word, wait)
        }
    }

    @inline(never) private static func with(_ word: UInt, _ body: (AnyObject) -> Void) {
        guard let pointer = UnsafeRawPointer(bitPattern: ~word) else { return }
        body(Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue())
    }

    /// A thread that isn't the agent's.
    func thread(_ body: @escaping @Sendable () -> Void) { Thread.detachNewThread(body) }

    /// Has a task wait.
    func task(_ body: @escaping @Sendable () async -> Void) {
        let task = Task.detached(operation: body)
        let word = ~unsafeBitCast(task, to: UInt.self)
        state.withLock { $0.tasks.append(word) }
    }

    /// Runs after the search, to end the shape.
    func atEnd(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.ends.append(body) } }

    /// Returns the objects waited for, as a picture shows them; `nil` until all threads wait.
    func targets(in picture: Picture) -> [WaitTarget]? {
        let (threads, tasks, count) = state.withLock { ($0.threads, $0.tasks, $0.waits) }
        guard threads.count == count else { return nil }
        var targets: [WaitTarget] = []
        for id in threads {
            guard let thread = picture.threads.first(where: { $0.id == id }),
                let target = WaitTarget(of: thread.wait)
            else { return nil }
            targets.append(target)
        }
        for word in tasks {
            guard let task = picture.tasks.first(where: { $0.address == ~word }),
                task.state == .suspended, task.waitsFor == .continuation
            else { return nil }
            targets.append(.continuation(task: task.address))
        }
        return targets.isEmpty ? nil : targets
    }

    /// Lets all go that wait.
    func end() {
        let ends = state.withLock { state in
            defer { state.ends = [] }
            return state.ends
        }
        for body in ends { body() }
    }

    /// Makes a shape, and searches for its holders on a thread of the agent's; only forward, from what
    /// lives, where that is asked for.
    static func holders(of shape: HeldShape, onlyForward: Bool = false) throws -> Holders? {
        let stage = Stage()
        defer { stage.end() }
        let isMade = DispatchSemaphore(value: 0)
        stage.thread {
            shape.make(stage)
            isMade.signal()
        }
        isMade.wait()
        usleep(20_000)
        let found = Locked<Result<Holders?, any Error>?>(nil)
        try NativeThread.start(name: "telltale-search", stackBytes: 4 << 20) {
            let result = Result { try stage.search(onlyForward) }
            found.withLock { $0 = result }
        }
        try waitUntil("\(shape.name) was searched", seconds: 60) { found.withLock { $0 != nil } }
        return try found.withLock { try $0?.get() }
    }

    private func search(_ onlyForward: Bool) throws -> Holders? {
        let agent = try Captured.agent.get()
        let deadline = MonotonicTime.now.advanced(by: .seconds(20))
        while .now < deadline {
            let picture = try Captured.picture(.all.subtracting(.operations))
            guard let targets = targets(in: picture) else { continue }
            if onlyForward {
                let layout = HeapLayout.known(by: deadline)
                guard let images = LoadedImages.read() else { return nil }
                let judge = HolderJudge(picture, images, cachedItems: [], until: deadline)
                return ReachSearch.holders(
                    of: targets, in: picture, judge: judge, layout, until: deadline)[targets[0]]
            }
            let result = HolderSearch.find(targets, in: picture, agent: agent, until: deadline)
            if let gap = result.gap { print("gap: \(gap)") }
            return result.holders[targets[0]]
        }
        return nil
    }
}
#endif
