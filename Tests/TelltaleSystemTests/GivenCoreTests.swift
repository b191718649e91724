#if DEBUG
import Glibc
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// The ways a thread of the agent yields to the host's, and that no other thread does so for it.
@Suite struct GivenCoreTests {
    /// The scheduler's settings of the calling thread.
    private struct Turn: Equatable, Sendable {
        var niceness = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
        /// Nanoseconds, from Linux 6.12 on.
        var slice = SmallFile.text(of: "/proc/thread-self/sched")?.split(separator: "\n")
            .first { $0.hasPrefix("se.slice") }?.split(separator: " ").last.flatMap { Int($0) }
    }

    private static func onThread(_ body: @escaping @Sendable () -> [Turn]) throws -> [Turn] {
        let turns = TimedCondition<[Turn]?>(nil)
        try NativeThread.start(name: "gives") {
            let seen = body()
            turns.update { $0 = seen }
        }
        return try #require(turns.wait(until: .now.advanced(by: .seconds(10))) { $0 })
    }

    @Test("who gives way has no smaller share of a core, and what it makes is as any thread is")
    func always() throws {
        let usual = Turn()
        guard let slice = usual.slice else { return }
        let turns = try Self.onThread {
            NativeThread.giveCore()
            let own = Turn()
            let made = try? Self.onThread { [Turn()] }
            return [own] + (made ?? [])
        }
        try #require(turns.count == 2)
        #expect(turns[0].niceness == usual.niceness)
        #expect(turns[0].slice.map { $0 > slice } == true, "\(turns[0])")
        // Dispatch's threads are the host's, also those that a thread of the agent's has made.
        #expect(turns[1] == usual)
    }

    @Test("long work gives the core as long as it lasts, whatever it is made of")
    func nested() throws {
        let usual = Turn()
        guard let slice = usual.slice else { return }
        let turns = try Self.onThread {
            var seen: [Turn] = []
            NativeThread.givingCore {
                NativeThread.givingCore { seen.append(Turn()) }
                seen.append(Turn())
            }
            return seen + [Turn()]
        }
        #expect(turns.prefix(2).allSatisfy { ($0.slice ?? 0) > slice }, "\(turns)")
        #expect(turns.last == usual)
    }

    @Test("a thread of the host's stays as it is")
    func hosts() {
        let usual = Turn()
        #expect(NativeThread.givingCore { Turn() } == usual)
        #expect(Turn() == usual)
    }

    /// The policy and the timer slack of a thread of the agent's that a thread with others of its own makes.
    private static func scheduling(
        madeBy settings: @escaping @Sendable () -> Bool
    ) throws -> (policy: Int32, slack: Int32)? {
        let result = TimedCondition<[Int32]?>(nil)
        try NativeThread.start(name: "maker") {
            guard settings() else { return result.update { $0 = [] } }
            let isStarted: Void? = try? NativeThread.start(name: "made") {
                let seen = [sched_getscheduler(0), Self.slack(of: NativeThread.currentID) ?? -1]
                result.update { $0 = seen }
            }
            if isStarted == nil { result.update { $0 = [] } }
        }
        let seen = try #require(result.wait(until: .now.advanced(by: .seconds(10))) { $0 })
        return seen.count == 2 ? (seen[0], seen[1]) : nil
    }

    @Test("a thread of the agent's is no real-time thread, whoever makes it")
    func realTime() throws {
        let made = try Self.scheduling {
            var priority = sched_param(sched_priority: 1)
            return sched_setscheduler(0, SCHED_FIFO, &priority) == 0
        }
        guard let made else { try Test.cancel("no real-time thread is allowed here") }
        #expect(made.policy == SCHED_OTHER)
    }

    private static func slackFile(of thread: Int64) -> String { "/proc/\(thread)/timerslack_ns" }

    private static func slack(of thread: Int64) -> Int32? {
        SmallFile.text(of: slackFile(of: thread)).flatMap { Int32($0.prefix { $0 != "\n" }) }
    }

    @Test("a thread of the agent's is on time, whatever slack the one has that makes it")
    func slack() throws {
        let made = try Self.scheduling {
            guard let file = fopen(Self.slackFile(of: NativeThread.currentID), "w") else {
                return false
            }
            defer { fclose(file) }
            return fputs("2000000000", file) >= 0 && fflush(file) == 0
        }
        guard let made else { try Test.cancel("no other slack is allowed here") }
        #expect(made.slack == 50_000)
    }

}
#endif
