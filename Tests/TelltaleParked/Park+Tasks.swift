// Tasks: two kinds that are suspended and have no thread, and one that holds a thread of the pool.
import Foundation

/// Waits for an actor that another job has.
enum ParkActor {
    @inline(never)
    static func parkActorOuter(_ spot: Spot) async -> Int {
        await parkActorMiddle(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func parkActorMiddle(_ spot: Spot) async -> Int {
        await parkActorInner(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func parkActorInner(_ spot: Spot) async -> Int {
        let number = await spot.holder.vault.enterActor(spot.blocking())
        return number &+ spot.number
    }
}

/// Waits for a continuation that is never resumed.
enum ParkTask {
    @inline(never)
    static func parkTaskOuter(_ spot: Spot) async -> Int {
        await parkTaskMiddle(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func parkTaskMiddle(_ spot: Spot) async -> Int {
        await parkTaskInner(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func parkTaskInner(_ spot: Spot) async -> Int {
        let number = await withUnsafeContinuation { kept.keep($0, spot.blocking()) }
        return number &+ spot.number
    }
}

/// Sleeps on its thread.
enum ParkBlockedTask {
    @inline(never)
    static func parkBlockedTaskOuter(_ spot: Spot) async -> Int {
        await parkBlockedTaskMiddle(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func parkBlockedTaskMiddle(_ spot: Spot) async -> Int {
        let number = parkBlockedTaskInner(spot.calling())
        await Task.yield()
        return number &+ spot.number
    }

    @inline(never)
    static func parkBlockedTaskInner(_ spot: Spot) -> Int {
        let code = usleep(spot.blocking().holder.longTime)
        return Int(code) &+ spot.number
    }
}
