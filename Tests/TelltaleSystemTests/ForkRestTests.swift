#if DEBUG
import CTelltaleSystem
import CTelltaleSystem
import Glibc
import Synchronization
import TelltaleSystem
import Testing

@_silgen_name("fork") private func systemFork() -> Int32

/// Indicates that the agent's thread is in code during which no child may be forked.
private nonisolated(unsafe) let isInPiece = UnsafeMutablePointer<Bool>.allocate(capacity: 1)

/// A fork goes between the pieces of a long work: a child has none of the runtime's locks then.
@Suite(.serialized)
struct ForkRestTests {
    @Test("a fork waits for the end of a piece, and work of many pieces goes on after it")
    func pieces() async {
        await #expect(processExitsWith: .success) {
            try ForkHook.install()
            let isEnding = Atomic(false)
            let ended = TimedCondition(false)
            let pieces = Atomic(0)
            isInPiece.initialize(to: false)
            try NativeThread.start(name: "works") {
                while !isEnding.load(ordering: .acquiring) {
                    isInPiece.pointee = true
                    for _ in 0..<2000 { pieces.add(1, ordering: .relaxed) }
                    isInPiece.pointee = false
                    ForkGate.rest()
                }
                ended.update { $0 = true }
            }
            while pieces.load(ordering: .relaxed) == 0 { sched_yield() }
            var inPieces = 0
            for _ in 0..<50 {
                let child = systemFork()
                if child == 0 { _exit(isInPiece.pointee ? 1 : 0) }
                var status: Int32 = 0
                #expect(waitpid(child, &status, 0) == child)
                inPieces += Int(status >> 8)
            }
            isEnding.store(true, ordering: .releasing)
            _ = ended.wait(until: .now.advanced(by: .seconds(60))) { $0 ? true : nil }
            #expect(inPieces == 0)
        }
    }

    @Test("what forks on a thread that was lent to it is a thread of the host's in the child")
    func lent() async {
        await #expect(processExitsWith: .success) {
            try ForkHook.install()
            let ended = TimedCondition<Int32?>(nil)
            try NativeThread.start(name: "works") {
                NativeThread.lent {
                    let child = systemFork()
                    if child == 0 {
                        // The child's only thread ends the loan that it has a copy of.
                        let isTakenBack = ctelltale_agent_thread_take_back(getpid())
                        _exit(isTakenBack || ctelltale_is_agent_thread(getpid()) ? 1 : 0)
                    }
                    var status: Int32 = -1
                    waitpid(child, &status, 0)
                    ended.update { $0 = status }
                }
            }
            #expect(ended.wait(until: .now.advanced(by: .seconds(60))) { $0 } == 0)
        }
    }
}
#endif
