import Dispatch
import Foundation

extension Shape {
    /// Circles of queues and locks.
    static let cycles = [
        Shape("three-queues-in-circle") {
            let queues = (0..<3).map { DispatchQueue(label: "shape.circle.\($0)") }
            for index in 0..<3 {
                onQueue(queues[index]) {
                    settle()
                    CycleShapes.syncOntoNext(queues[(index + 1) % 3])
                }
            }
        },
        Shape("group-of-items-behind-oneself") {
            let line = DispatchQueue(label: "shape.line")
            onQueue(line) {
                let group = DispatchGroup()
                line.async(group: group) {}
                CycleShapes.waitForGroupInOwnLine(group)
            }
        },
        Shape("lock-holder-syncs-to-queue-of-waiter") {
            let lock = PlainLock()
            let line = DispatchQueue(label: "shape.line")
            onQueue(line) {
                settle()
                CycleShapes.takeLockOnQueue(lock)
            }
            onThread {
                lock.lock()
                settle()
                CycleShapes.syncUnderLock(line)
            }
        },
        Shape(
            "lock-holder-syncs-to-main",
            main: {
                let lock = PlainLock()
                onThread {
                    lock.lock()
                    settle()
                    CycleShapes.syncToMainUnderLock()
                }
                CycleShapes.takeLockOnMain(lock)
            }
        ) {},
    ]

    /// Circles in which tasks and actors take part: a thread can wait for them by a semaphore alone.
    static let taskCycles = [
        Shape("lock-actor-queue-lock") {
            let lock = PlainLock()
            let vault = CycleVault()
            let line = DispatchQueue(label: "shape.line")
            onThread {
                lock.lock()
                settle()
                CycleShapes.askVaultUnderLock(vault)
            }
            onQueue(line) {
                settle()
                CycleShapes.takeLockOfVaultsClient(lock)
            }
            Task(name: "audit") { await vault.syncOntoQueueOfLock(line) }
        },
        Shape("task-lock-queue-task") {
            let lock = PlainLock()
            let line = DispatchQueue(label: "shape.line")
            let export = Task(name: "export") {
                settle()
                CycleShapes.takeLockInTask(lock)
            }
            onThread {
                lock.lock()
                settle()
                CycleShapes.syncUnderLockOfTask(line)
            }
            onQueue(line) { CycleShapes.waitForTaskOnQueue(export) }
        },
        Shape("queue-bridge-actor-queue") {
            let vault = CycleVault()
            let line = DispatchQueue(label: "shape.line")
            onQueue(line) { CycleShapes.bridgeToActorOfQueue(vault, line) }
        },
        Shape("actor-bridge-to-itself") {
            let vault = CycleVault()
            Task(name: "count") { await vault.bridgeToOneself() }
        },
    ]
}

private enum CycleShapes {
    static func syncOntoNext(_ queue: DispatchQueue) {
        queue.sync {}  // blocks: syncOntoNext
    }

    static func waitForGroupInOwnLine(_ group: DispatchGroup) {
        group.wait()  // blocks: waitForGroupInOwnLine
    }

    static func takeLockOnQueue(_ lock: PlainLock) {
        pthread_mutex_lock(lock.mutex)  // blocks: takeLockOnQueue
    }

    static func syncUnderLock(_ line: DispatchQueue) {
        line.sync {}  // blocks: syncUnderLock
    }

    static func takeLockOnMain(_ lock: PlainLock) {
        settle()
        pthread_mutex_lock(lock.mutex)  // blocks: takeLockOnMain
    }

    static func syncToMainUnderLock() {
        DispatchQueue.main.sync {}  // blocks: syncToMainUnderLock
    }

    static func askVaultUnderLock(_ vault: CycleVault) {
        let done = DispatchSemaphore(value: 0)
        Task(name: "question") {
            _ = await vault.count
            done.signal()
        }
        done.wait()  // blocks: askVaultUnderLock
    }

    static func takeLockOfVaultsClient(_ lock: PlainLock) {
        pthread_mutex_lock(lock.mutex)  // blocks: takeLockOfVaultsClient
    }

    static func takeLockInTask(_ lock: PlainLock) {
        pthread_mutex_lock(lock.mutex)  // blocks: takeLockInTask
    }

    static func syncUnderLockOfTask(_ line: DispatchQueue) {
        line.sync {}  // blocks: syncUnderLockOfTask
    }

    static func waitForTaskOnQueue(_ task: Task<Void, Never>) {
        let done = DispatchSemaphore(value: 0)
        Task(name: "bridge") {
            await task.value
            done.signal()
        }
        done.wait()  // blocks: waitForTaskOnQueue
    }

    static func bridgeToActorOfQueue(_ vault: CycleVault, _ line: DispatchQueue) {
        let done = DispatchSemaphore(value: 0)
        Task(name: "bridge") {
            await vault.syncBackToBridge(line)
            done.signal()
        }
        done.wait()  // blocks: bridgeToActorOfQueue
    }
}

private actor CycleVault {
    private(set) var count = 0

    func syncOntoQueueOfLock(_ line: DispatchQueue) {
        line.sync {}  // blocks: syncOntoQueueOfLock
    }

    func syncBackToBridge(_ line: DispatchQueue) {
        line.sync {}  // blocks: syncBackToBridge
    }

    func bridgeToOneself() {
        let done = DispatchSemaphore(value: 0)
        Task(name: "inner") {
            count += 1
            done.signal()
        }
        done.wait()  // blocks: bridgeToOneself
    }
}
