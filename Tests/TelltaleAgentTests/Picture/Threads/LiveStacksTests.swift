#if TELLTALE_AGENT
import Foundation
import Synchronization
import TelltaleSystem
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

#if os(Linux) && arch(x86_64)
/// The stacks of threads, also of those that have only just been made, or end.
@Suite(.serialized)
struct LiveStacksTests {
    @Test("threads that come and go make no search doubtful")
    func churn() throws {
        let isOver = Atomic(false)
        let done = DispatchGroup()
        for _ in 0..<4 {
            done.enter()
            Thread.detachNewThread {
                while !isOver.load(ordering: .relaxed) {
                    let ended = DispatchSemaphore(value: 0)
                    Thread.detachNewThread { ended.signal() }
                    ended.wait()
                }
                done.leave()
            }
        }
        defer {
            isOver.store(true, ordering: .relaxed)
            done.wait()
        }
        let images = try #require(LoadedImages.read())
        let reads = 300
        var doubtful = 0
        for _ in 0..<reads {
            let stacks = try #require(LiveStacks.read(images, until: Captured.soon))
            if stacks.hidden > 0 { doubtful += 1 }
        }
        #expect(doubtful <= reads / 100, "\(doubtful) of \(reads)")
    }

    @Test("one and several are said as they are")
    func words() {
        #expect(LiveStacks.gap(hidden: 1) == "the stack of 1 thread could not be found")
        #expect(ThreadCapture.leftOut(1) == "1 thread is left out")
        #expect(ThreadCapture.leftOut(1_000) == "1,000 threads are left out")
        #expect(LiveStacks.gap(hidden: 2) == "the stacks of 2 threads could not be found")
    }
}
#endif
#endif
