// Threads that never wait, at the end of a chain.
import Synchronization

private let goesOn = Atomic(true)

enum Spin {
    /// Ends every loop of this module.
    static func stop() { goesOn.store(false, ordering: .relaxed) }
    /// Lets loops begin again.
    static func allow() { goesOn.store(true, ordering: .relaxed) }

    @inline(never)
    static func spinOuter(_ spot: Spot) -> Int {
        spinMiddle(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func spinMiddle(_ spot: Spot) -> Int {
        spinInner(spot.calling()) &+ spot.number
    }

    /// Never leaves its frame.
    @inline(never)
    static func spinInner(_ spot: Spot) -> Int {
        var sum = spot.blocking().number
        while goesOn.load(ordering: .relaxed) { sum = sum &* 31 &+ 7 }
        return sum
    }
}

/// Calls all the time: is often found where a frame is being made or taken away.
enum SpinCalling {
    @inline(never)
    static func spinCallingOuter(_ spot: Spot) -> Int {
        spinCallingMiddle(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func spinCallingMiddle(_ spot: Spot) -> Int {
        spinCallingInner(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func spinCallingInner(_ spot: Spot) -> Int {
        var sum = spot.blocking().number
        while goesOn.load(ordering: .relaxed) { sum = spinCallingLeaf(sum, 3) }
        return sum
    }

    @inline(never)
    static func spinCallingLeaf(_ number: Int, _ levels: Int) -> Int {
        guard levels > 0 else { return number &* 31 }
        return spinCallingLeaf(number &+ 1, levels &- 1) &+ 7
    }
}
