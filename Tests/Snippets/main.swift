// The code that README.md and Docs/Registering.md show for a service, at the top level of its `main.swift`. `SnippetTests`
// has the compiler check it as a user's, in Swift 5 and 6 mode, with the agent and in a build
// without it.
import Dispatch
import Foundation
import Synchronization
import TelltaleAgent
import TelltaleFoundation

final class Library {
    var books = ["Dune", "Emma"]
    func add(_ title: String, at position: Int) throws { books.insert(title, at: position) }
    func count() -> Int { books.count }
}

/// Guards itself: its methods take its own queue.
final class Ledger: @unchecked Sendable {
    private let queue = DispatchQueue(label: "com.example.ledger")
    private var balance = 0
    func sum() -> Int { queue.sync { balance } }
}

/// Registers itself, since its queue is private.
final class Journal: @unchecked Sendable {
    private let queue = DispatchQueue(label: "com.example.journal")
    private var lines: [String] = []
    init() { Telltale.register(self, as: "journal", on: queue) }
}

/// Its lock is its own, and no closure that runs elsewhere may capture it.
final class Cache {
    var thumbnails: [String: Int] = [:]
    private let lock = NSLock()
    func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        try lock.withLock(body)
    }
}

final class Settings: Sendable {
    let limit = 12
}

actor Bank {
    private(set) var balance = 0
    func deposit(_ amount: Int) -> Int {
        balance += amount
        return balance
    }
    func withdraw(_ amount: Int) throws { balance -= amount }
    func transfer(_ amount: Int, to name: String) async throws -> Int { balance - amount }
    func close() { balance = 0 }
    func audit() async -> [Int] { [balance] }
    nonisolated func rate(in year: Int) -> Double { Double(year) / 1000 }
}

@MainActor final class Wall {
    var title = "photos"
    nonisolated init() {}
}

let queue = DispatchQueue(label: "com.example.library")
let library = Library()
let bank = Bank()
let photos = Library()
let store = bank
let task = Task { 42 }
let operationQueue = OperationQueue()
let lock = NSLock()
let mutex = Mutex(0)
let cache = Cache()
let settings = Settings()
let ledger = Ledger()
let journal = Journal()
let wall = Wall()
let clock = ContinuousClock()
let started = clock.now

Telltale.start()
Telltale.useFoundation()
Telltale.register(library, as: "library", on: queue)
Telltale.register(settings, as: "settings")
Telltale.register(photos, as: "photos", on: queue)
Telltale.register(store, as: "store")
Telltale.register(wall, as: "wall", on: MainActor.shared)
Telltale.register(cache, as: "cache", under: { body in lock.withLock { body() } })
Telltale.register(cache, as: "cache", under: { body in mutex.withLock { _ in body() } })
Telltale.register(cache, as: "cache", under: { $0.withLock($1) })
Telltale.register(cache, as: "cache", under: { cache, body in cache.withLock { body() } })
Telltale.observe(queue)
Telltale.observe(task)
Telltale.observe(operationQueue, as: "thumbnails")

Telltale.register("uptime") { clock.now - started }
Telltale.register("limit", on: queue) { settings.limit }
Telltale.register("balance", on: bank) { $0.balance }
Telltale.register("balances", on: bank) { bank in
    let balance = bank.balance
    return [balance, balance + 1]
}
Telltale.register("title", on: MainActor.shared) { wall.title }
Telltale.register("length", on: MainActor.shared) {
    let title = wall.title
    return title.count
}
Telltale.register("limit", under: { body in lock.withLock { body() } }) { settings.limit }

Telltale.property("size", of: library) { $0.books.count }
Telltale.property("sum", of: ledger, run: .offOwner) { $0.sum() }
Telltale.property("shown", of: library, run: [.offOwner, .inReadOnlyMode], \.books.count)
Telltale.property("first", of: library) { library in
    let books = library.books
    return books.first
}
Telltale.property("books", of: library, \.books.count)
Telltale.property("balance", of: store) { $0.balance }
Telltale.property("title", of: wall, on: MainActor.shared) { $0.title }
let property = Telltale.property("half", of: settings) { $0.limit / 2 }
property.end()

Telltale.action("library.add", of: library, Library.add)
Telltale.action("library.count", of: library, Library.count)
Telltale.action("photos.add", on: queue) { (title: String, url: String) in
    print(title, url)
}
Telltale.action("photos.add", arguments: ["title", "url"], on: queue) {
    (title: String, url: String) in
    print(title, url)
}
Telltale.action("photos.load", on: queue) { (title: String) async throws -> Int in
    try await Task.sleep(nanoseconds: 1)
    return title.count
}
Telltale.action("wall.rename", on: MainActor.shared) { (title: String) in wall.title = title }
Telltale.action("later") { (name: String) async in await bank.close() }

Telltale.action("bank.deposit", of: bank) { $0.deposit($1) }
Telltale.action("bank.withdraw", arguments: ["amount"], of: bank) { try $0.withdraw($1) }
Telltale.action("bank.close", of: bank) { $0.close() }
Telltale.action("bank.take", of: bank) { (bank, amount: Int) in
    let rest = bank.deposit(-amount)
    return rest
}
Telltale.action("bank.transfer", of: bank) { try await $0.transfer($1, to: $2) }
Telltale.action("bank.audit", of: bank) { await $0.audit() }
Telltale.action("bank.transfer", of: bank, Bank.transfer)
Telltale.action("bank.audit", of: bank, Bank.audit)
Telltale.action("bank.rate", of: bank, Bank.rate)

Telltale.on(.userDefined1, queue: queue) { report in print(report.count) }
let source = Telltale.on(.userDefined2, queue: queue) { _ in }
source.cancel()
let registration = Telltale.register("answer") { 42 }
registration.end()
