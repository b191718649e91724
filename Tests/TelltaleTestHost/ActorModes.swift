import Dispatch
import Foundation
import Synchronization
import TelltaleAgent

/// Actors, and values that closures make on owners: `actors`.
enum ActorModes {
    private actor Bank {
        private(set) var balance = 10

        func deposit(_ amount: Int) -> Int {
            assertIsolated()
            balance += amount
            return balance
        }

        func withdraw(_ amount: Int) throws {
            assertIsolated()
            guard amount <= balance else { throw Overdrawn() }
            balance -= amount
        }

        func transfer(_ amount: Int, to name: String) async throws -> String {
            try withdraw(amount)
            await Task.yield()
            assertIsolated()
            return "\(amount) to \(name), \(balance) left"
        }

        func hang() { sleep(3600) }
    }

    private struct Overdrawn: Error {}

    /// Has no lock that a closure outside could capture, and isn't Sendable.
    private final class Cache {
        private let lock = NSLock()
        var size = 3
        func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
            try lock.withLock(body)
        }
    }

    /// The place of the state of a service that is written in Swift 6.
    private final class Service: Sendable {
        private struct State {
            var jobs = ["first": 1]
            var total = 3
        }
        private let state = Mutex(State())
        let name = "service"

        /// Holds the lock for good.
        func hang() { state.withLock { _ in _ = sleep(3600) } }
    }

    nonisolated(unsafe) private static var kept: [AnyObject] = []
    private static let short = Mutex<Bank?>(Bank())

    static func register() {
        let bank = Bank()
        let cache = Cache()
        let queue = DispatchQueue(label: "test.values")
        let lock = NSLock()
        let service = Service()
        kept = [bank, cache, service]
        Telltale.register(service, as: "service")
        Telltale.action("service.hang") { () async -> Void in
            Thread.detachNewThread { service.hang() }
        }
        Telltale.register(cache, as: "cached", under: { $0.withLock($1) })
        Telltale.register("balance", on: bank) { bank in
            bank.assertIsolated()
            return bank.balance
        }
        Telltale.register("label", on: queue) { () -> String in
            dispatchPrecondition(condition: .onQueue(queue))
            return queue.label
        }
        Telltale.register("main", on: MainActor.shared) { () -> Bool in
            MainActor.assertIsolated()
            return true
        }
        Telltale.register("locked", under: { body in lock.withLock { body() } }) { lock.try() }
        Telltale.register("nothing", on: queue) { Int?.none }
        if let bank = short.withLock({ $0 }) {
            Telltale.register("short", on: bank) { $0.balance }
            Telltale.action("short.deposit", of: bank) { $0.deposit($1) }
        }
        Telltale.action("bank.deposit", of: bank) { $0.deposit($1) }
        Telltale.action("bank.withdraw", arguments: ["amount"], of: bank) { try $0.withdraw($1) }
        Telltale.action("bank.transfer", of: bank, Bank.transfer)
        Telltale.action("bank.send", of: bank) { try await $0.transfer($1, to: $2) }
        Telltale.action("bank.hang", of: bank) { $0.hang() }
        Telltale.action("bank.empty", of: bank) { try $0.withdraw($0.balance) }
    }

    /// Lets go of the actor called `short`.
    static func letGo() { short.withLock { $0 = nil } }
}
