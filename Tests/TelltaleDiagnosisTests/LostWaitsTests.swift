#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltalePicture
import Testing

/// A wait that two searches have found to be lost stays known for as long as the same parties wait.
struct LostWaitsTests {
    /// A process in which a task waits for a continuation, and a thread for a semaphore.
    private struct Waits {
        var process = MadeProcess()
        let task: WaitTarget
        let semaphore: WaitTarget
        private var history = WaitHistory()

        init() {
            process.task("fetch", .continuation)
            process.thread(7, .semaphore("gate"))
            task = .continuation(task: process.at("task fetch"))
            semaphore = .semaphore(process.at("gate"))
        }

        /// Returns the diagnosis of the process at a moment, after all those before.
        mutating func diagnosis(at seconds: Double) -> Diagnosis {
            Diagnosis(of: pictures(at: seconds))
        }

        mutating func pictures(
            at seconds: Double, _ change: (inout Picture) -> Void = { _ in }
        ) -> ComparedPictures {
            var picture = process.pictures.later
            picture.time = .seconds(seconds)
            change(&picture)
            history.note(picture)
            var before = picture
            before.time = .seconds(seconds - 0.05)
            return ComparedPictures(before, picture, history: history)
        }
    }

    private static func lost(_ waits: inout Waits) -> SearchedWaits {
        waits.process.holders(waits.task)
        waits.process.holders(waits.semaphore)
        var lost = SearchedWaits()
        lost.keep(waits.diagnosis(at: 10), isSure: true)
        return lost
    }

    @Test("nobody is searched for again while all wait as they did")
    func kept() {
        var waits = Waits()
        let lost = Self.lost(&waits)
        let later = waits.pictures(at: 70)
        let known = lost.lost(later.targets, in: later)
        #expect(Set(known.keys) == [waits.task, waits.semaphore])
        #expect(known.values.allSatisfy { $0.isLost })
    }

    @Test("one that waits anew is searched for, and one who has come")
    func moved() {
        var waits = Waits()
        let lost = Self.lost(&waits)
        let moved = waits.pictures(at: 20) { picture in
            for index in picture.tasks.indices { picture.tasks[index].mark &+= 1 }
            for index in picture.threads.indices { picture.threads[index].switches = 6 }
        }
        #expect(lost.lost(moved.targets, in: moved).isEmpty)
        waits.process.thread(8, .semaphore("gate"))
        let joined = waits.pictures(at: 30)
        #expect(lost.lost(joined.targets, in: joined).isEmpty)
    }

    @Test("what somebody has, or was not searched to its end, is not remembered")
    func held() {
        var waits = Waits()
        waits.process.holders(waits.task, .global(0x9000, name: "cache"))
        waits.process.holders(waits.semaphore, isWhole: false)
        var lost = SearchedWaits()
        let now = waits.pictures(at: 10)
        lost.keep(Diagnosis(of: now), isSure: true)
        #expect(lost.lost(now.targets, in: now).isEmpty)
    }

    @Test("what another search has found somebody for is forgotten")
    func forgotten() {
        var waits = Waits()
        var lost = Self.lost(&waits)
        waits.process.holders(waits.task, .global(0x9000, name: "cache"))
        lost.keep(waits.diagnosis(at: 20), isSure: true)
        let later = waits.pictures(at: 30)
        #expect(lost.lost(later.targets, in: later).map(\.key) == [waits.semaphore])
    }
}
#endif
