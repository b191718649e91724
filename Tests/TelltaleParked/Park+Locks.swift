// Threads that wait for one another. See Park+Calls.swift.
import Dispatch
import Foundation
import Synchronization

enum ParkCondition {
    @inline(never)
    static func parkConditionOuter(_ spot: Spot) -> Int {
        parkConditionMiddle(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func parkConditionMiddle(_ spot: Spot) -> Int {
        parkConditionInner(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func parkConditionInner(_ spot: Spot) -> Int {
        let code = spot.holder.waitForCondition(spot.calling())
        return Int(code) &+ spot.number
    }
}

enum ParkSemaphore {
    @inline(never)
    static func parkSemaphoreOuter(_ spot: Spot) -> Int {
        parkSemaphoreMiddle(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func parkSemaphoreMiddle(_ spot: Spot) -> Int {
        parkSemaphoreInner(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func parkSemaphoreInner(_ spot: Spot) -> Int {
        spot.blocking().holder.semaphore.wait()
        return spot.number
    }
}

enum ParkSync {
    @inline(never)
    static func parkSyncOuter(_ spot: Spot) -> Int {
        parkSyncMiddle(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func parkSyncMiddle(_ spot: Spot) -> Int {
        parkSyncInner(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func parkSyncInner(_ spot: Spot) -> Int {
        let number = spot.blocking().holder.queue.sync { spot.number &+ 1 }
        return number &+ spot.number
    }
}

enum ParkLock {
    @inline(never)
    static func parkLockOuter(_ spot: Spot) -> Int {
        parkLockMiddle(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func parkLockMiddle(_ spot: Spot) -> Int {
        parkLockInner(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func parkLockInner(_ spot: Spot) -> Int {
        spot.blocking().holder.lock.lock()
        return spot.number
    }
}

enum ParkMutex {
    @inline(never)
    static func parkMutexOuter(_ spot: Spot) -> Int {
        parkMutexMiddle(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func parkMutexMiddle(_ spot: Spot) -> Int {
        parkMutexInner(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func parkMutexInner(_ spot: Spot) -> Int {
        let number = spot.blocking().holder.mutex.withLock { $0 &+ spot.number }
        return number &+ spot.number
    }
}
