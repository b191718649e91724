import Dispatch
import Foundation
import Synchronization

extension Shape {
    /// Tasks and actors that wait for others of their kind.
    static let tasks = [
        Shape("group-of-sleepers") {
            Task {
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<3 { group.addTask { try? await Task.sleep(for: .seconds(900)) } }
                    await group.waitForAll()
                }
            }
        },
        Shape("value-of-sleeper") {
            let sleeper = Task { try? await Task.sleep(for: .seconds(900)) }
            for _ in 0..<3 { Task { await sleeper.value } }
        },
        Shape("async-let-of-sleeper") {
            Task {
                async let sleeper: Void? = try? Task.sleep(for: .seconds(900))
                _ = await sleeper
            }
        },
        Shape("actor-sleeps-suspended") {
            let store = SleepyStore()
            for _ in 0..<3 { Task { await store.refresh() } }
        },
        Shape("actor-sleeps-on-thread") {
            let store = SleepyStore()
            for _ in 0..<100 { Task { await store.compact() } }
        },
        Shape("actor-of-waiting-thread-in-read") {
            let store = SleepyStore()
            let socket = Loopback.datagramSocket()
            Task { await store.receive(socket) }
        },
        Shape("actor-blocked-by-semaphore") {
            let store = SleepyStore()
            Task(name: "writer") { await store.waitForDiskNobodySignals() }
            settle()
            for number in 0..<3 { Task(name: "reader \(number)") { await store.count() } }
        },
        Shape("tasks-await-each-other") {
            let pair = AwaitingPair()
            pair.start()
        },
        Shape("child-awaits-its-parent") {
            let family = Family()
            family.start()
        },
    ]
}

/// An actor with slow methods.
private actor SleepyStore {
    private var items = 0

    func refresh() async {
        try? await Task.sleep(for: .seconds(900))
        items += 1
    }

    // It finishes, and the next one begins.
    func compact() { Thread.sleep(forTimeInterval: 8) }

    func receive(_ socket: Int32) {
        var byte: UInt8 = 0
        _ = recv(socket, &byte, 1, 0)
    }

    func count() -> Int { items }

    func waitForDiskNobodySignals() {
        let disk = DispatchSemaphore(value: 0)
        disk.wait()  // blocks: waitForDiskNobodySignals
    }
}

private final class AwaitingPair: Sendable {
    private let invoice = Mutex<Task<Void, Never>?>(nil)
    private let order = Mutex<Task<Void, Never>?>(nil)

    func start() {
        // Both are held until both have begun.
        invoice.withLock { invoice in
            order.withLock { order in
                invoice = Task.detached(name: "invoice") { await self.awaitOrder() }
                order = Task.detached(name: "order") { await self.awaitInvoice() }
            }
        }
    }

    private func awaitOrder() async {
        await order.withLock { $0 }?.value  // blocks: awaitOrder
    }

    private func awaitInvoice() async {
        await invoice.withLock { $0 }?.value  // blocks: awaitInvoice
    }
}

/// A group's child that awaits the task whose group it is in.
private final class Family: Sendable {
    private let parent = Mutex<Task<Void, Never>?>(nil)

    func start() {
        parent.withLock { parent in
            parent = Task.detached(name: "parent") { await self.awaitChildren() }
        }
    }

    private func awaitChildren() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask(name: "child") { await self.awaitParent() }
            await group.waitForAll()  // blocks: awaitChildren
        }
    }

    private func awaitParent() async {
        await parent.withLock { $0 }?.value  // blocks: awaitParent
    }
}
