#if DEBUG
import Dispatch
import Glibc
import TelltalePicture
import TelltaleSystem
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

struct ThreadCaptureTests {
    private static func soon() -> MonotonicTime { .now.advanced(by: .seconds(30)) }

    @Test("a thread's queue and task are told without touching it")
    func queueAndTask() throws {
        #expect(ThreadLayout.known(by: Self.soon()).notes == [])

        let table = ThreadCapture()
        let gate = DispatchSemaphore(value: 0)
        let ids = TimedCondition<[Int64]>([])
        let queue = DispatchQueue(label: "test.parked")
        queue.async {
            ids.update { $0.append(NativeThread.currentID) }
            gate.wait()
        }
        let object = UInt(bitPattern: Unmanaged.passUnretained(queue).toOpaque())
        let dispatchs = try #require(GuardedMemory.load(UInt.self, at: object &+ 16))
        let id = try #require(ids.wait(until: Self.soon()) { $0.first })
        let captured = table.capture(.only([Int32(id)]), until: Self.soon())
        gate.signal()
        let sample = try #require(captured.threads.first)
        #expect(sample.queue == dispatchs)
        #expect(sample.task == nil)
        #expect(!sample.isMain)
        #expect(captured.notes.isEmpty)
    }
}
#endif
