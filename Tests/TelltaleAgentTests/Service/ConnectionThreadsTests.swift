#if DEBUG
import Dispatch
import TelltaleSystem
import Testing

@testable import TelltaleAgent

struct ConnectionThreadsTests {
    private static func soon() -> MonotonicTime { .now.advanced(by: .seconds(20)) }

    @Test("nobody waits behind one who stays, however the threads are handed on")
    func handedOn() throws {
        let threads = ConnectionThreads()
        let gate = DispatchSemaphore(value: 0)
        let short = TimedCondition(0)
        let long = TimedCondition(0)
        for round in 1...500 {
            // The one that stays is taken by a thread that waits, and the next ones come while it is.
            try threads.run {
                long.update { $0 += 1 }
                gate.wait()
            }
            for _ in 0..<3 { try threads.run { short.update { $0 += 1 } } }
            let isServed = short.wait(until: Self.soon()) { $0 == round * 3 ? true : nil }
            gate.signal()
            try #require(isServed == true, "round \(round): \(short.update { $0 }) were served")
        }
        #expect(long.wait(until: Self.soon()) { $0 == 500 ? true : nil } == true)
    }

    @Test("a thread that waits is used again")
    func usedAgain() throws {
        let threads = ConnectionThreads()
        let names = TimedCondition<[Int64]>([])
        for count in 1...20 {
            try threads.run { names.update { $0.append(NativeThread.currentID) } }
            _ = names.wait(until: Self.soon()) { $0.count == count ? true : nil }
        }
        #expect(Set(names.update { $0 }).count < 20)
    }
}
#endif
