#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltalePicture
import Testing

/// The waits that a probe need not capture twice, nor search for.
struct SearchedWaitsTests {
    /// A queue's item that waits for a semaphore with another behind, and a task that waits to be resumed.
    private static func service(for seconds: Double) -> MadeProcess {
        var made = MadeProcess()
        made.thread(11, .semaphore("s"), on: "photos", unmovedFor: seconds)
        made.items("photos", "next()")
        made.task("fetch", .continuation)
        made.timer(again: 1)
        return made
    }

    private static func targets(_ made: inout MadeProcess) -> [WaitTarget] {
        [.semaphore(made.at("s")), .continuation(task: made.at("task fetch"))]
    }

    private static func isOnePictureEnough(_ picture: Picture, _ history: WaitHistory) -> Bool {
        Diagnosis(
            ofHealthy: picture, history: history, thresholds: .all(30), isPatient: false) != nil
    }

    @Test("what is younger than a probe's threshold needs one picture")
    func young() {
        let picture = Self.service(for: 12).pictures.later
        #expect(Self.isOnePictureEnough(picture, WaitHistory()))
        #expect(Diagnosis(ofHealthy: picture) == nil)
        let old = Self.service(for: 40).pictures.later
        #expect(!Self.isOnePictureEnough(old, WaitHistory()))
    }

    /// The history of a service that stands so for 40 s, and what a search has found in it.
    private static func searched(
        _ made: MadeProcess, _ roots: [Holders.Root]
    ) -> (known: SearchedWaits, history: WaitHistory, later: Picture) {
        var made = made
        var (earlier, later) = made.pictures
        var history = WaitHistory()
        earlier.time = later.time - .seconds(40)
        history.note(earlier)
        for target in targets(&made) { later.holders[target] = Holders(roots, isWhole: true) }
        history.note(later)
        var known = SearchedWaits()
        known.keep(
            Diagnosis(of: earlier, later, history: history, thresholds: .all(30)), isSure: false)
        later.holders = [:]
        return (known, history, later)
    }

    private static func isKnownHealthy(
        _ made: MadeProcess, _ roots: Holders.Root..., after seconds: Double,
        _ change: (inout Picture) -> Void = { _ in }
    ) -> Bool {
        var (known, history, next) = searched(made, roots)
        next.time += .seconds(seconds)
        change(&next)
        history.note(next)
        known.add(to: &next, history)
        return isOnePictureEnough(next, history)
    }

    @Test("what something alive will end is not searched for by the next probe")
    func hopeful() {
        var made = Self.service(for: 40)
        let timer = Holders.Root.timer(made.at("timer 0"))
        #expect(Self.isKnownHealthy(made, timer, after: 10))
        #expect(!Self.isKnownHealthy(made, timer, after: 70), "it is looked at again")
        #expect(
            !Self.isKnownHealthy(made, timer, after: 10) { $0.timers[0].isCancelled = true },
            "hope is judged by each picture")
        let doubtful = Holders.Root.global(0x9000, name: "Pool.slots")
        #expect(!Self.isKnownHealthy(made, doubtful, after: 10), "a doubt is no hope")
    }

    @Test("of a client's task that goes on and a thread, the thread is what is remembered")
    func taskAndThread() {
        var made = Self.service(for: 40)
        made.task("client", .continuation)
        made.thread(20, .eventLoop)
        // Resumed between the pictures: the next one alone doesn't tell that it will be again.
        made.earlier { $0.tasks[1].mark = 1 }
        let client = Holders.Root.task(made.at("task client"))
        #expect(Self.isKnownHealthy(made, client, .thread(20), after: 10))
        #expect(!Self.isKnownHealthy(made, client, after: 10))
    }

    @Test("a process is still where none of its own threads has run")
    func still() {
        var made = Self.service(for: 40)
        made.thread(30, .runs, isAgent: true)
        #expect(made.diagnosis.isStill)
        made.thread(31, .idle)
        #expect(made.diagnosis.isStill)
        made.moves(31)
        #expect(!made.diagnosis.isStill)
    }

    @Test("within one answer only what something alive will end is not searched for again")
    func onlyLiving() {
        var made = Self.service(for: 40)
        let targets = Self.targets(&made)
        var (known, history, next) = Self.searched(made, [])
        known.add(to: &next, history, onlyLiving: true)
        #expect(next.holders.isEmpty)
        known.add(to: &next, history)
        #expect(Set(next.holders.keys) == Set(targets))
        let timer = Holders.Root.timer(made.at("timer 0"))
        (known, history, next) = Self.searched(made, [timer])
        known.add(to: &next, history, onlyLiving: true)
        #expect(Set(next.holders.keys) == Set(targets))
    }
}
#endif
