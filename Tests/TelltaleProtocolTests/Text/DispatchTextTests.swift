import Testing

@testable import TelltaleProtocol

@Suite("Groups, semaphores, timers and operations as text")
struct DispatchTextTests {
    @Test("groups are a table")
    func groups() {
        #expect(
            SampleAnswers.groups.lines().joined(separator: "\n") == """
                GROUP      OUTSTANDING  WAITS FOR IT  THEN                    NOTE
                downloads            2  thread 4251   closure #1 in finish()  n
                0x7f5100             1  yes           -                       -
                … and 3 idle (`groups --all`)
                note: n
                """)
        #expect(GroupsAnswer(groups: []).lines() == ["no groups were found"])
        #expect(GroupsAnswer(groups: [], hidden: 3).lines() == ["… and 3 idle (`groups --all`)"])
    }

    @Test("semaphores are a table; threads that are not known are counted")
    func semaphores() {
        #expect(
            SampleAnswers.semaphores.lines().joined(separator: "\n") == """
                SEMAPHORE  VALUE  MADE WITH  WAITS FOR IT       NOTE
                slots         -2          4  threads 4251 4252  n
                0x7f6100      -1          0  1 thread           -
                … and 1 without a waiter (`semaphores --all`)
                note: n
                """)
    }

    @Test("timers are a table with when each fires, or since when it should have")
    func timers() {
        #expect(
            SampleAnswers.timers.lines().joined(separator: "\n") == """
                TIMER                       FIRES  EVERY  QUEUE                HANDLER                            PLACE                 IS
                0x7f7000                  in 2.4s     5m  com.telltale.photos  closure #1 in PhotoManager.poll()  PhotoManager.swift:7  suspended
                asyncAfter 0x7f7100  overdue 12ms      -  -                    -                                  -                     cancelled
                note: n
                """)
    }

    @Test("operation queues have their operations below them; the run loop follows")
    func operations() {
        #expect(
            SampleAnswers.operations.lines().joined(separator: "\n") == """
                operation queue thumbnails  5 operations, 2 at once, suspended, on com.telltale.thumbs
                  OPERATION    TYPE                STATE    WAITS FOR             IS
                  thumbnail 7  ThumbnailOperation  waiting  decode 7 (executing)  cancelled, priority high
                  … 4 more

                run loop of the main thread  waits for something to do, mode kCFRunLoopDefaultMode, 3 sources
                  timer  fires in 2.4 s
                note: n
                """)
        #expect(
            OperationsAnswer(queues: [], notes: ["TelltaleFoundation is not linked"]).lines() == [
                "no operation queues were found", "note: TelltaleFoundation is not linked",
            ])
    }

    @Test("what was done says what it is now, and when it is put right")
    func control() {
        #expect(
            SampleAnswers.control.rendered() == """
                com.telltale.photos: suspended (1)      (change 3)
                  note: let go when this connection ends
                """)
    }
}
