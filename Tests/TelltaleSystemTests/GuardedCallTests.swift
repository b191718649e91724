import Glibc
import Synchronization
import TelltaleSystem
import Testing

/// Traps in guarded calls, on threads of their own.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct GuardedCallTests {
    private final class Count: @unchecked Sendable {
        var value = 0
        func grow(_ body: (inout Int) -> Void) { body(&value) }
    }

    private static func onThread<Result: Sendable>(
        _ body: @escaping @Sendable () -> Result
    ) throws -> Result {
        let made = TimedCondition<Result?>(nil)
        try NativeThread.start(name: "guarded", stackBytes: 8 << 20, signals: GuardedCall.signals) {
            let result = body()
            made.update { $0 = result }
        }
        let result = made.wait(until: .now.advanced(by: .seconds(30))) { $0 }
        return try #require(result)
    }

    private static func signal(of trap: GuardedCall.Trap?) -> Int32? {
        if case .signal(let signal, _)? = trap { signal } else { nil }
    }

    private static func traps(_ body: @escaping @Sendable () -> Void) throws -> Int32? {
        try onThread {
            guard let guarded = GuardedCall(code: 0..<0) else { return nil }
            return signal(of: guarded.run(body))
        }
    }

    @Test("a trap ends the call and not the process, 50 times in a row")
    func traps() throws {
        for index in 0..<50 {
            let numbers = [index]
            #expect(try Self.traps { _ = numbers[numbers.count + index] } != nil)
        }
        #expect(try Self.traps { abort() } == SIGABRT)
        #expect(try Self.traps { _ = UnsafePointer<Int>(bitPattern: 8)?.pointee } == SIGSEGV)
        #expect(try Self.traps {} == nil)
    }

    @Test("a stack that overflows ends the call")
    func overflow() throws {
        @Sendable func sink(_ depth: Int) -> Int { depth < 0 ? 0 : sink(depth + 1) + depth }
        #expect(try Self.traps { _ = sink(1) } == SIGSEGV)
    }

    @Test("a trap within an access leaves no access open on its thread")
    func accesses() throws {
        let count = Count()
        let seen = try Self.onThread { () -> Int in
            guard let guarded = GuardedCall(code: 0..<0) else { return -1 }
            _ = guarded.run { count.grow { _ in abort() } }
            // Ends the process if the runtime still has the first access in its list.
            count.grow { $0 += 1 }
            return count.value
        }
        #expect(seen == 1)
    }

    @Test("the signals of a trap are the process's own again after a call")
    func handlers() throws {
        func handler() -> sighandler_t? {
            var present = sigaction()
            sigaction(SIGILL, nil, &present)
            return present.__sigaction_handler.sa_handler
        }
        let before = unsafeBitCast(handler(), to: Int.self)
        _ = try Self.traps { abort() }
        #expect(unsafeBitCast(handler(), to: Int.self) == before)
    }

    @Test("a call is cancelled in the code that allows it, and a call in other code goes on")
    func cancelled() throws {
        let begun = Atomic(0)
        let isEnough = Atomic(false)
        let guarded = try #require(GuardedCall(code: 0..<UInt.max))
        let other = try #require(GuardedCall(code: 0..<0))
        let ends = TimedCondition<[Bool]>([])
        for call in [guarded, other] {
            try NativeThread.start(name: "guarded", stackBytes: nil, signals: GuardedCall.signals) {
                let trap = call.run {
                    begun.add(1, ordering: .releasing)
                    while !isEnough.load(ordering: .relaxed) {}
                }
                let isCancelled = if case .cancelled? = trap { true } else { false }
                ends.update { $0.append(isCancelled) }
            }
        }
        while begun.load(ordering: .acquiring) < 2 { usleep(1000) }
        while !guarded.cancel(until: .now.advanced(by: .seconds(10))) {}
        #expect(!other.cancel(until: .now.advanced(by: .milliseconds(20))))
        isEnough.store(true, ordering: .relaxed)
        let all = ends.wait(until: .now.advanced(by: .seconds(10))) { $0.count == 2 ? $0 : nil }
        #expect(all == [true, false])
    }
}
