#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltalePicture
import TelltaleProtocol
import Testing

/// Results of a search after the comparison of two pictures are judged as if they had been known
/// before.
struct ComparedPicturesTests {
    private static func process() -> MadeProcess {
        var made = MadeProcess()
        made.thread(11, .semaphore("s"), on: "photos")
        made.items("photos", "next()")
        made.thread(12, .sync("photos"))
        made.task("fetch", .continuation)
        return made
    }

    /// Two ways to the same sentences: all known at first, and searched for between.
    private static func answers(
        _ hold: (inout MadeProcess) -> Void
    ) -> (known: [String], taken: [String]) {
        var made = process()
        hold(&made)
        let known = made.pictures
        let open = process().pictures
        var compared = ComparedPictures(open.earlier, open.later)
        compared.take(holdersOf: known.later)
        return (
            Diagnosis(of: known.earlier, known.later).answer(captures: 2, took: .zero).lines(),
            Diagnosis(of: compared).answer(captures: 2, took: .zero).lines()
        )
    }

    @Test("a cycle by who alone could signal, hope, and nobody")
    func taken() {
        let cycle = Self.answers { made in
            made.holders(.semaphore(made.at("s")), .thread(12))
        }
        #expect(cycle.taken == cycle.known)
        #expect(cycle.taken.contains { $0.contains("DEADLOCK") }, "\(cycle.taken)")
        let hope = Self.answers { made in
            made.holders(.semaphore(made.at("s")), .source(0x9000, watches: "a socket"))
            made.holders(.continuation(task: made.at("task fetch")), .global(0x9100, name: "c"))
        }
        #expect(hope.taken == hope.known)
        #expect(!hope.taken.contains { $0.contains("STUCK") }, "\(hope.taken)")
        let nobody = Self.answers { made in
            made.holders(.semaphore(made.at("s")))
            made.holders(.continuation(task: made.at("task fetch")))
        }
        #expect(nobody.taken == nobody.known)
        #expect(nobody.taken.contains { $0.contains("STUCK") }, "\(nobody.taken)")
    }

    private static func task(_ number: Int, mark: Int = 0) -> TaskFacts {
        var task = TaskFacts(address: UInt(0x10_0000 + number * 64), id: UInt64(number))
        task.state = .suspended
        task.waitsFor = .continuation
        task.frames = [RawFrame(address: 0x40_0000, kind: .asyncResume)]
        task.mark = mark
        return task
    }

    /// Those of which nothing has moved are what a search is asked for again.
    private static func targets(_ before: [TaskFacts], _ now: [TaskFacts]) -> [WaitTarget] {
        var (earlier, later) = MadeProcess().pictures
        earlier.tasks = before
        later.tasks = now
        return ComparedPictures(earlier, later).targets
    }

    @Test("tasks are found again in whatever order they come, with some gone and some new")
    func order() {
        let before = (0..<10).map { Self.task($0) }
        let all = before.map { WaitTarget.continuation(task: $0.address) }
        #expect(Self.targets(before, before) == all)
        #expect(Self.targets(before, before.reversed()) == all)
        // One has ended, one has begun, and one waits anew.
        var now = before
        now.remove(at: 3)
        now.insert(Self.task(20), at: 5)
        now[7].mark = 1
        let moved = now[7].address
        let same = all.filter {
            $0 != .continuation(task: before[3].address) && $0 != .continuation(task: moved)
        }
        #expect(Self.targets(before, now) == same)
        #expect(Self.targets([], now).isEmpty)
        #expect(Self.targets(before, []).isEmpty)
    }
}
#endif
