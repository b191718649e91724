import Dispatch
import Foundation
import Synchronization
import TelltaleAgent

/// Code of the host's that takes its own queue or lock, and other ways to end in a read: `host-code`.
enum HostCodeModes {
    /// The standard shape of a class that guards itself.
    private final class Ledger: @unchecked Sendable, CustomStringConvertible {
        let queue = DispatchQueue(label: "test.ledger")
        var balance = 5

        func sum() -> Int { queue.sync { balance } }
        func add(_ amount: Int) -> Int {
            queue.sync {
                balance += amount
                return balance
            }
        }
        var computed: Int { sum() + 1 }
        var description: String { "ledger of \(sum())" }
    }

    private final class Locked: @unchecked Sendable {
        let lock = NSLock()
        let other = NSLock()
        var amount = 7

        func sum() -> Int { lock.withLock { amount } }
        func both() -> Int { other.withLock { amount } }
    }

    @MainActor private final class Page {
        nonisolated init() {}
        var hits = 3
        var queued: Int { DispatchQueue.main.sync { hits } }
    }

    private actor Till {
        var coins = 4
        var checked: Int {
            preconditionIsolated()
            return coins
        }
    }

    private struct Point {
        var x: Int
    }
    private final class Map: Sendable {
        let point = Point(x: 9)
    }

    /// A key whose hash traps, or does not return, for some values.
    private struct Key: Hashable {
        var n: Int
        func hash(into hasher: inout Hasher) {
            precondition(n != 13)
            while n == 14 { usleep(10_000) }
            hasher.combine(n)
        }
    }
    private final class Index: @unchecked Sendable {
        let queue = DispatchQueue(label: "test.index")
        var counts = [Key(n: 1): 1]
        var marks: Set<Key> = [Key(n: 1)]
    }

    private static let kept = Mutex<[any Sendable]>([])
    private static let fuse = Atomic(false)
    /// Written by what runs, to be seen where it isn't to be: in a file.
    private static let trace = ProcessInfo.processInfo.environment["TEST_TRACE"]

    private static func leaveTrace() {
        guard let trace else { return }
        _ = FileManager.default.createFile(atPath: trace, contents: Data("ran".utf8))
    }

    static func register() {
        let (ledger, wick, locked, page, till, map) = (
            Ledger(), Ledger(), Locked(), Page(), Till(), Map()
        )
        kept.withLock { $0 = [ledger, wick, locked, page, till, map] }
        Telltale.register(wick, as: "wick", on: wick.queue)
        Telltale.register(ledger, as: "ledger", on: ledger.queue)
        Telltale.property("sum", of: ledger) { $0.sum() }
        Telltale.property("total", of: ledger, run: .offOwner) { $0.sum() }
        Telltale.property("shown", of: ledger, run: [.offOwner, .inReadOnlyMode]) { $0.sum() }
        Telltale.property("checked", of: ledger, run: .inReadOnlyMode) {
            dispatchPrecondition(condition: .onQueue($0.queue))
            return $0.balance
        }
        Telltale.property("writes", of: ledger) {
            leaveTrace()
            return $0.balance
        }
        Telltale.property("writesFirst", of: ledger) {
            leaveTrace()
            return $0.sum()
        }
        Telltale.property("late", of: wick) {
            fuse.exchange(true, ordering: .relaxed) ? $0.sum() : $0.balance
        }
        Telltale.property("ends", of: wick, run: .offOwner) { (_: Ledger) -> Int in
            leaveTrace()
            fatalError("as it was asked to")
        }
        Telltale.action("ledger.deadlock", of: ledger, Ledger.add)
        Telltale.action("ledger.add", of: ledger, run: .offOwner, Ledger.add)
        Telltale.action("ledger.count", of: ledger, run: [.offOwner, .inReadOnlyMode], Ledger.sum)
        Telltale.register(
            locked, as: "locked", under: { body in locked.lock.withLock { body() } })
        Telltale.property("sum", of: locked) { $0.sum() }
        Telltale.property("both", of: locked) { $0.both() }
        Telltale.register(page, as: "page", on: MainActor.shared)
        Telltale.property("hits", of: page, on: MainActor.shared) { $0.hits }
        Telltale.property("queued", of: page, on: MainActor.shared) { $0.queued }
        Telltale.register(till, as: "till")
        Telltale.property("checked", of: till) { $0.checked }
        Telltale.register("five") { 5 }
        Telltale.register("six", run: .inReadOnlyMode) { 6 }
        Telltale.register("held", on: ledger.queue) { ledger.sum() }
        Telltale.register(map, as: "map")
        let index = Index()
        kept.withLock { $0.append(index) }
        Telltale.register(index, as: "index", on: index.queue)
        Telltale.use(
            ValueFormat(
                Point.self, example: "\"(9)\"", render: { value, _ in .init("point \(value.x)") },
                parse: { _ in nil }))
        // Another thread has it at every moment but a few.
        Thread.detachNewThread {
            while true {
                locked.other.withLock { _ = usleep(20_000) }
                usleep(1000)
            }
        }
    }
}
