#if DEBUG
import Dispatch
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent

private func soon() -> MonotonicTime { .now.advanced(by: .seconds(20)) }

struct AgentThreadsTests {
    @Test("nobody waits behind one who stays, however the threads are handed on")
    func handedOn() throws {
        let threads = AgentThreads()
        let gate = DispatchSemaphore(value: 0)
        let short = TimedCondition(0)
        let long = TimedCondition(0)
        for round in 1...500 {
            // The one that stays is taken by a thread that waits, and the next ones come while it is.
            try threads.run(.connection) {
                long.update { $0 += 1 }
                gate.wait()
            }
            for _ in 0..<3 { try threads.run(.connection) { short.update { $0 += 1 } } }
            let isServed = short.wait(until: soon()) { $0 == round * 3 ? true : nil }
            gate.signal()
            try #require(isServed == true, "round \(round): \(short.update { $0 }) were served")
        }
        #expect(long.wait(until: soon()) { $0 == 500 ? true : nil } == true)
    }

    /// Jobs that stay until they are let go, each on a thread of its own.
    private final class Held: Sendable {
        private let state = TimedCondition<(threads: [Int: Int64], open: Set<Int>)>(([:], []))

        func begin(_ number: Int, on threads: AgentThreads) throws {
            try threads.run(.connection) { [self] in
                state.update { $0.threads[number] = NativeThread.currentID }
                _ = state.wait(until: soon()) { $0.open.contains(number) ? true : nil }
            }
            try #require(thread(of: number) != nil)
        }

        func thread(of number: Int) -> Int64? {
            state.wait(until: soon()) { $0.threads[number] }
        }

        func letGo(_ numbers: Int...) { state.update { $0.open.formUnion(numbers) } }
    }

    private static func run(on threads: AgentThreads) throws -> Int64? {
        let thread = TimedCondition<Int64?>(nil)
        try threads.run(.report) { thread.update { $0 = NativeThread.currentID } }
        return thread.wait(until: soon()) { $0 }
    }

    @Test("the two that were made first stay, and the first of all has what comes")
    func firstStay() throws {
        let threads = AgentThreads(patience: .zero)
        let held = Held()
        for number in 1...4 { try held.begin(number, on: threads) }
        held.letGo(3, 4)
        try waitUntil("two rest") { threads.counts == (4, 2) }
        // Those that were made earlier take their places.
        held.letGo(1, 2)
        try waitUntil("two are left") { threads.counts == (2, 2) }
        for _ in 0..<20 {
            let thread = try Self.run(on: threads)
            #expect(thread == held.thread(of: 1))
            try waitUntil("both rest") { threads.counts == (2, 2) }
        }
        try held.begin(5, on: threads)
        let other = try Self.run(on: threads)
        #expect(held.thread(of: 5) == held.thread(of: 1))
        #expect(other == held.thread(of: 2))
        held.letGo(5)
        threads.close()
        try waitUntil("none is left") { threads.counts == (0, 0) }
    }

    @Test("what a job holds is let go when it is done")
    func letGo() throws {
        final class Thing: Sendable {}
        let threads = AgentThreads(patience: .zero)
        defer { threads.close() }
        for round in 1...3 {
            weak var thing: Thing?
            do {
                let made = Thing()
                thing = made
                try threads.run(.probe) { withExtendedLifetime(made) {} }
            }
            try waitUntil("round \(round): it is let go, and its thread rests") {
                thing == nil && threads.counts == (1, 1)
            }
        }
    }

    @Test("a thread that waits is used again")
    func usedAgain() throws {
        let threads = AgentThreads()
        let names = TimedCondition<[Int64]>([])
        for count in 1...20 {
            try threads.run(.connection) { names.update { $0.append(NativeThread.currentID) } }
            _ = names.wait(until: soon()) { $0.count == count ? true : nil }
        }
        #expect(Set(names.update { $0 }).count < 20)
    }
}
#endif
