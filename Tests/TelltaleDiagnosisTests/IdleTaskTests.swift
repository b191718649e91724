#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltalePicture
import Testing

/// A server's suspended tasks that nothing waits for: a probe searches only for those that have
/// waited for as long as its threshold.
struct IdleTaskTests {
    /// A picture of a process, in which all has stood for so long.
    private static func standing(
        for seconds: Double, _ make: (inout MadeProcess) -> Void
    ) -> (picture: Picture, history: WaitHistory) {
        var made = MadeProcess()
        make(&made)
        var (earlier, later) = made.pictures
        var history = WaitHistory()
        earlier.time = later.time - .seconds(seconds)
        history.note(earlier)
        history.note(later)
        return (later, history)
    }

    private static func diagnosis(_ at: (picture: Picture, history: WaitHistory)) -> Diagnosis? {
        Diagnosis(
            ofHealthy: at.picture, history: at.history, thresholds: .all(30), isPatient: false)
    }

    private static func idle(_ made: inout MadeProcess) {
        for name in ["fetch", "store", "reply"] { made.task(name, .continuation) }
    }

    @Test("young ones are nothing that a probe weighs, and old ones are")
    func ages() throws {
        let young = try #require(Self.diagnosis(Self.standing(for: 12, Self.idle)))
        #expect(young.targets.isEmpty)
        #expect(Self.diagnosis(Self.standing(for: 40, Self.idle)) == nil)
    }

    @Test("one old task among young ones is weighed")
    func oneOld() {
        var (picture, history) = Self.standing(for: 40, Self.idle)
        var task = TaskFacts(address: 0x77_0000, id: 77)
        task.waitsFor = .continuation
        picture.tasks.append(task)
        picture.time += .seconds(1)
        history.note(picture)
        #expect(Self.diagnosis((picture, history)) == nil)
        // Without the old ones it is as young as can be.
        picture.tasks.removeAll { $0.id != 77 }
        picture.time += .seconds(1)
        history.note(picture)
        #expect(Self.diagnosis((picture, history)) != nil)
    }

    @Test("what a cut picture lacks stays as old as it was")
    func cut() {
        var (picture, history) = Self.standing(for: 40, Self.idle)
        let whole = picture
        picture.tasks = []
        picture.add(["no time"], to: .tasks, isCut: true)
        picture.time += .seconds(1)
        history.note(picture)
        var next = whole
        next.time += .seconds(2)
        history.note(next)
        #expect(Self.diagnosis((next, history)) == nil)
    }

    @Test("a circle of young tasks is seen at once")
    func circles() {
        let awaiting = Self.standing(for: 1) { made in
            made.task("cover", .task("album"))
            made.task("album", .task("cover"))
        }
        #expect(Self.diagnosis(awaiting) == nil)
    }
}
#endif
