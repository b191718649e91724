// Threads that the kernel holds. In each chain the result is used after the call, so that no tail call
// takes a frame away, and the last function's line is that of the call that does not come back.
import Foundation

enum ParkRead {
    @inline(never)
    static func parkReadOuter(_ spot: Spot) -> Int {
        parkReadMiddle(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func parkReadMiddle(_ spot: Spot) -> Int {
        parkReadInner(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func parkReadInner(_ spot: Spot) -> Int {
        var byte: UInt8 = 0
        let count = read(spot.blocking().holder.descriptor, &byte, 1)
        return count &+ Int(byte)
    }
}

enum ParkPoll {
    @inline(never)
    static func parkPollOuter(_ spot: Spot) -> Int {
        parkPollMiddle(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func parkPollMiddle(_ spot: Spot) -> Int {
        parkPollInner(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func parkPollInner(_ spot: Spot) -> Int {
        var entry = pollfd(fd: spot.holder.descriptor, events: Int16(POLLIN), revents: 0)
        let count = poll(&entry, 1, spot.blocking().holder.forever)
        return Int(count) &+ Int(entry.revents)
    }
}

enum ParkEpoll {
    @inline(never)
    static func parkEpollOuter(_ spot: Spot) -> Int {
        parkEpollMiddle(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func parkEpollMiddle(_ spot: Spot) -> Int {
        parkEpollInner(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func parkEpollInner(_ spot: Spot) -> Int {
        var event = Epoll.Event()
        let count = Epoll.wait(spot.blocking().holder.epoll, &event, 1, -1)
        return Int(count) &+ Int(event.events)
    }
}

enum ParkSleep {
    @inline(never)
    static func parkSleepOuter(_ spot: Spot) -> Int {
        parkSleepMiddle(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func parkSleepMiddle(_ spot: Spot) -> Int {
        parkSleepInner(spot.calling()) &+ spot.number
    }

    @inline(never)
    static func parkSleepInner(_ spot: Spot) -> Int {
        let code = usleep(spot.blocking().holder.longTime)
        return Int(code) &+ spot.number
    }
}

extension Holder {
    /// A time limit of `poll`: none.
    var forever: Int32 { -1 }
    /// Over an hour, as `usleep` takes it.
    var longTime: UInt32 { 4_000_000_000 }
}

/// The middle one is inlined into the outer one in optimised code, and not in debug code.
enum ParkInlined {
    @inline(never)
    static func parkInlinedOuter(_ spot: Spot) -> Int {
        parkInlinedMiddle(spot.calling()) &+ spot.number
    }

    @inline(__always)
    static func parkInlinedMiddle(_ spot: Spot) -> Int {
        parkInlinedInner(spot.calling()) &+ spot.number
    }

    @inline(__always)
    static func parkInlinedInner(_ spot: Spot) -> Int {
        let code = usleep(spot.blocking().holder.longTime)
        return Int(code) &+ spot.number
    }
}

/// Two hundred frames of the same function.
enum ParkDeep {
    @inline(never)
    static func parkDeepOuter(_ spot: Spot) -> Int {
        parkDeepAgain(spot.calling(), 200) &+ spot.number
    }

    @inline(never)
    static func parkDeepAgain(_ spot: Spot, _ levels: Int) -> Int {
        guard levels > 1 else { return parkDeepInner(spot.calling()) &+ levels }
        return parkDeepAgain(spot, levels &- 1) &+ levels
    }

    @inline(never)
    static func parkDeepInner(_ spot: Spot) -> Int {
        let code = usleep(spot.blocking().holder.longTime)
        return Int(code) &+ spot.number
    }
}
