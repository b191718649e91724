import Testing

@testable import TelltaleProtocol

@Suite("Queues as text")
struct QueueTextTests {
    @Test("what is known of queues is a table; a list that moves and a bound are said")
    func queues() {
        #expect(
            SampleAnswers.queues.lines().joined(separator: "\n") == """
                QUEUE                          KIND        STATE         WAITING  OLDEST  THREAD  IN USE  TARGET               QOS          LATENCY  OBJECTS  FINDING
                com.telltale.photos            concurrent  barrier            31  ≥12.3s    4251    4094  utility-qos          utility            -  photos   no answer for 1.0 s
                thumbs                         serial      suspended ×2  10,000+       -       -     0/1  com.telltale.photos  unspecified        -  -        -
                Swift global concurrent queue  pool        running        moving       -       -     2/2  -                    default            -  -        -
                … and 14 global and system queues (`queues --all`)
                note: latency is not asked
                """)
    }

    @Test("a narrow terminal has fewer columns, which are named, and keeps the labels")
    func narrow() {
        let lines = SampleAnswers.queues.lines(TextStyle(width: 80))
        #expect(
            lines.joined(separator: "\n") == """
                QUEUE                          KIND        STATE         WAITING  OLDEST  THREAD
                com.telltale.photos            concurrent  barrier            31  ≥12.3s    4251
                    no answer for 1.0 s
                thumbs                         serial      suspended ×2  10,000+       -       -
                Swift global concurrent queue  pool        running        moving       -       -
                … no room for IN USE, TARGET, QOS, OBJECTS; --json has all
                … and 14 global and system queues (`queues --all`)
                note: latency is not asked
                """)
        #expect(lines.allSatisfy { $0.columns <= 80 })
        let narrower = SampleAnswers.queues.lines(TextStyle(width: 70))
        // A label that has no room stands above the rest of its row.
        #expect(narrower[1].hasPrefix("com.telltale.photos  "))
        #expect(narrower[4] == "Swift global concurrent queue", "\(narrower)")
        #expect(narrower[5].hasPrefix("          ") && narrower[5].contains("pool        running"))
        #expect(narrower.allSatisfy { $0.columns <= 70 }, "\(narrower)")
    }

    @Test("one is one, and many are many")
    func numbers() {
        var answer = SampleAnswers.queues
        answer.hidden = 1
        #expect(answer.lines().contains("… and 1 global or system queue (`queues --all`)"))
        answer.hidden = 0
        #expect(!answer.lines().contains { $0.hasPrefix("…") })
    }

    @Test("without queues that is said, with what could not be had")
    func none() {
        #expect(
            QueuesAnswer(queues: [], notes: ["dispatch is not the one that is known"]).lines() == [
                "no queues are observed", "note: dispatch is not the one that is known",
            ])
    }

    @Test("the dump's line about all queues counts each once")
    func summary() {
        #expect(
            SampleAnswers.queues.summary
                == "QUEUES 3: 1 without an answer, 1 suspended, 1 busy")
    }

    @Test("one queue is its facts, its items and the stack of the thread that holds it")
    func queue() {
        #expect(
            SampleAnswers.queue.lines().joined(separator: "\n") == """
                queue com.telltale.photos
                  kind     concurrent
                  state    barrier, held by thread 4251
                  waiting  31, the oldest for at least 12.3 s
                  in use   4094 of 4094
                  target   com.apple.root.utility-qos
                  qos      utility
                  guards   photos
                  address  0x7f3a10
                  finding  no answer for 1.0 s

                ITEM  KIND       FUNCTION                              PLACE                  IS                     ADDRESS
                   0  block      closure #1 in PhotoManager.add(_:)    PhotoManager.swift:48  barrier                0x7f4000
                   1  work item  closure #1 in PhotoManager.thumb(_:)  -                      cancelled, in a group  0x7f4080
                   2  sync       -                                     -                      thread 4252 waits      0x7f4100
                   3  task       task #12 refresh                      -                      -                      -
                … 27 more (`queue com.telltale.photos --limit N`)

                thread 4251 "photo-manager"  waiting in futex  on queue com.telltale.photos
                   0  __futex_abstimed_wait_common64           in libc.so.6
                   1  closure #2 in PhotoManager.download(_:)  PhotoManager.swift:91
                      (cut)
                note: n
                """)
    }
}
