import Foundation
import Synchronization

/// Parks threads and tasks at the end of chains of functions whose names say what they wait for.
///
/// This module exists twice, with the same sources: `TelltaleParked` is compiled as the build says, and
/// `TelltaleParkedOptimised` always with `-O`.
public enum Parking {
    typealias Chain = @Sendable (Spot) -> Int
    typealias AsyncChain = @Sendable (Spot) async -> Int

    /// Every kind of ``park(_:count:)``.
    public static let kinds = threadKinds.map(\.0) + taskKinds.map(\.0)

    private static let threadKinds: [(String, Chain)] = [
        ("read", { ParkRead.parkReadOuter($0) }),
        ("poll", { ParkPoll.parkPollOuter($0) }),
        ("epoll", { ParkEpoll.parkEpollOuter($0) }),
        ("usleep", { ParkSleep.parkSleepOuter($0) }),
        ("condition", { ParkCondition.parkConditionOuter($0) }),
        ("semaphore", { ParkSemaphore.parkSemaphoreOuter($0) }),
        ("sync", { ParkSync.parkSyncOuter($0) }),
        ("nslock", { ParkLock.parkLockOuter($0) }),
        ("mutex", { ParkMutex.parkMutexOuter($0) }),
        ("inlined", { ParkInlined.parkInlinedOuter($0) }),
        ("deep", { ParkDeep.parkDeepOuter($0) }),
    ]
    // The one that holds a thread of the pool comes last: there may be no more than two.
    private static let taskKinds: [(String, AsyncChain)] = [
        ("task", { await ParkTask.parkTaskOuter($0) }),
        ("actor", { await ParkActor.parkActorOuter($0) }),
        ("task-blocked", { await ParkBlockedTask.parkBlockedTaskOuter($0) }),
    ]
    private static let spinKinds: [(String, Chain)] = [
        ("spin", { Spin.spinOuter($0) }),
        ("spin-calls", { SpinCalling.spinCallingOuter($0) }),
    ]

    private static let holder = Holder()
    private static let sums = Atomic(0)

    /// Parks threads, or tasks, of one kind, and waits until they are parked.
    ///
    /// - Parameters:
    ///   - kind: One of ``kinds``, or `spin`, or `spin-calls`.
    ///   - count: How many.
    /// - Returns: A line for each one, and for the one who holds what they wait for; see ``line``.
    public static func park(_ kind: String, count: Int) -> [String] {
        var lines: [String] = []
        if let owner = holder.take(for: kind) {
            _ = owner.wait(inCall: true)
            lines.append(line("\(kind)-holder", owner, thread: owner.arrived))
        }
        if let chain = (threadKinds + spinKinds).first(where: { $0.0 == kind })?.1 {
            Spin.allow()
            let spots = (0..<count).map { Spot($0, holder) }
            for spot in spots { start { sums.wrappingAdd(chain(spot), ordering: .relaxed) } }
            let spins = spinKinds.contains { $0.0 == kind }
            for spot in spots where !spot.wait(inCall: !spins) { return [] }
            return lines + spots.map { line(kind, $0, thread: $0.arrived) }
        }
        guard let chain = taskKinds.first(where: { $0.0 == kind })?.1 else { return [] }
        let holdsThread = kind == "task-blocked"
        let spots = (0..<count).map { Spot($0, holder) }
        for spot in spots {
            Task.detached(name: "parked-\(kind)-\(spot.number)") {
                let number = await chain(spot)
                sums.wrappingAdd(number, ordering: .relaxed)
            }
        }
        for spot in spots where !spot.wait(inCall: holdsThread) { return [] }
        // It said so just before it suspended.
        if !holdsThread { usleep(50_000) }
        return lines + spots.map { line(kind, $0, thread: holdsThread ? $0.arrived : 0) }
    }

    /// Ends all that spins; what is parked stays for good.
    public static func stopSpinning() { Spin.stop() }

    /// `PARKED kind=read code=optimised thread=4711 chain=parkReadInner:22,parkReadMiddle:16,…`; thread
    /// 0 for a suspended task, which is named `parked-KIND-NUMBER`.
    private static func line(_ kind: String, _ spot: Spot, thread: Int32) -> String {
        var code = "optimised"
        // Not evaluated there.
        assert(
            {
                code = "debug"
                return true
            }())
        return "PARKED kind=\(kind) code=\(code) thread=\(thread) chain=\(spot.chain)"
    }

    // As small as a thread of Swift can be, so that there may be thousands.
    private static func start(_ body: @escaping @Sendable () -> Void) {
        let thread = Thread { parkEntry(body) }
        thread.stackSize = 256 * 1024
        thread.start()
    }

    /// The outermost frame of ours in every chain of a thread.
    @inline(never)
    private static func parkEntry(_ body: () -> Void) {
        body()
        sums.wrappingAdd(1, ordering: .relaxed)
    }
}
