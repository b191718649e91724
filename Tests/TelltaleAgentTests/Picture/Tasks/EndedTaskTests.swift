#if TELLTALE_AGENT
import TelltalePicture
import Testing

@testable import TelltaleAgent

/// Tasks that end while they are read.
@Suite struct EndedTaskTests {
    @Test("what ended while it was read is left out, and what only moves is not")
    func ended() {
        func task(_ id: UInt64, isMoving: Bool) -> TaskFacts {
            var task = TaskFacts(address: 16, id: id)
            task.isMoving = isMoving
            return task
        }
        // The second and the third were seen under load.
        var capture = TaskCapture(
            tasks: [
                task(35, isMoving: false), task(6_342_859_860_818_121_825, isMoving: true),
                task(4_297_698_046, isMoving: true), task(40, isMoving: true),
            ], notes: [], implausible: 0, unavailable: nil)
        capture.dropEnded()
        #expect(capture.tasks.map(\.id) == [35, 40])
        #expect(capture.notes == ["left out, since changed while being read: 2 tasks"])
    }
}
#endif
