import Dispatch
import Foundation
import Synchronization
import TelltaleAgent

/// One of many; they are counted on creation and in `deinit`.
class Seedling: @unchecked Sendable {
    static let alive = Atomic<Int>(0)
    let number: Int
    let title: String
    var weight = 0.5
    var label: String
    var secretToken = "PLANTED-SECRET-heap"
    let state = Mutex(7)

    init(_ number: Int) {
        self.number = number
        title = "seedling \(number)"
        label = "label of seedling number \(number % 10)"
        Self.alive.add(1, ordering: .relaxed)
    }

    deinit { Self.alive.subtract(1, ordering: .relaxed) }
}

final class Sapling: Seedling, @unchecked Sendable {
    var height = 3
}

/// An object retained in one way each, by its number.
final class Treasure: @unchecked Sendable {
    let number: Int
    var partner: Treasure?
    var work: (() -> Int)?

    init(_ number: Int) { self.number = number }
}

final class Keeper: @unchecked Sendable {
    var treasure: Treasure?
    weak var shy: Treasure?
    var list: [Treasure?] = []
    var table: [String: Treasure] = [:]
    var work: (() -> Int)?
    var anything: Any?
    var apiTokens: [String: Relic] = [:]
    var later: (() -> Int)?
}

/// Held as a secret.
final class Relic: @unchecked Sendable {
    let number = 14
}

/// Refers to one without keeping it; registered.
final class Visitor: @unchecked Sendable {
    unowned let host: Treasure
    init(of host: Treasure) { self.host = host }
}

nonisolated(unsafe) var keeperOfTreasures: Keeper?
nonisolated(unsafe) var hiddenTreasure: Treasure?
let guardedCounts = Mutex(["a": 1])

/// The latest ones, as a list that can be read.
private final class Grove: @unchecked Sendable {
    // Guarded by the queue.
    private var plants: [Seedling] = []
    private let queue = DispatchQueue(label: "test.grove")

    func register(_ plants: [Seedling]) {
        queue.sync { self.plants = plants }
        Telltale.register(self, as: "grove", on: queue)
    }
}

/// Objects that the tests find in memory.
enum HeapModes {
    nonisolated(unsafe) private static var plants: [Seedling] = []
    private static let grove = Grove()
    static let used = Keeper()
    static let neverUsed = Keeper()
    nonisolated(unsafe) static var apiToken = "PLANTED-SECRET-root"
    nonisolated(unsafe) private static var visitor: Visitor?
    nonisolated(unsafe) private static var visited: [Treasure] = []
    private static let neverSignalled = DispatchSemaphore(value: 0)

    static func perform(_ words: [String]) -> String? {
        let count = Int(words.last ?? "") ?? 0
        switch words.first {
        case "plant":
            plants += (0..<count).map { $0.isMultiple(of: 4) ? Sapling($0) : Seedling($0) }
        case "grove": grove.register(plants)
        case "uproot": plants.removeLast(min(count, plants.count))
        case "hide": hide()
        case "sow":
            for _ in 0..<count { Thread.detachNewThread(sow) }
        default: return nil
        }
        return "\(Seedling.alive.load(ordering: .relaxed))"
    }

    /// Makes objects and lets them go, without end.
    private static func sow() {
        var some: [Seedling] = []
        while true {
            some.append(some.count.isMultiple(of: 3) ? Sapling(some.count) : Seedling(some.count))
            if some.count > 400 { some.removeFirst(300) }
        }
    }

    private static func hide() {
        let keeper = Self.used
        keeper.treasure = Treasure(1)
        keeper.list = [nil, Treasure(2), nil]
        keeper.list.reserveCapacity(16)
        keeper.table = ["first": Treasure(3)]
        apiToken += "!"
        let (captured, number) = (Treasure(4), count(of: keeper))
        keeper.work = { captured.number + number }
        keeper.anything = Treasure(5)
        keeper.shy = keeper.treasure
        keeperOfTreasures = keeper
        hiddenTreasure = Treasure(6)
        guardedCounts.withLock { $0["a"] = 2 }
        Thread.detachNewThread { park(with: Treasure(7)) }
        Task.detached { await suspend(with: Treasure(8)) }
        let (one, other) = (Treasure(9), Treasure(10))
        one.partner = other
        other.partner = one
        hideBehindClosures(keeper)
    }

    private static func hideBehindClosures(_ keeper: Keeper) {
        // A closure that captures one reference has no box: its context is the object.
        let own = Treasure(11)
        own.work = { own.number }
        let (host, lent) = (Treasure(12), Treasure(13))
        visited = [host, lent]
        let visitor = Visitor(of: host)
        Self.visitor = visitor
        Telltale.register(visitor, as: "visitor")
        keeper.later = { [unowned lent] in lent.number }
        let relic = Relic()
        Telltale.register(relic, as: "relic")
        keeper.apiTokens = ["PLANTED-SECRET-key": relic]
    }

    private static func count(of keeper: Keeper) -> Int { keeper.list.count }

    @inline(never) private static func park(with treasure: Treasure) {
        neverSignalled.wait()
        print(treasure.number)
    }

    @inline(never) private static func suspend(with treasure: Treasure) async {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        print(treasure.number)
    }
}
