#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// Finds what doesn't move: from one picture where nobody in it waits in a way that time could turn into
/// a finding, and else from two or up to five, and one more for each search that found nobody who could
/// end a wait.
///
/// It waits for nobody in the process without a bound; operation queues are asked for 200 ms.
struct StuckSearch: Sendable {
    let agent: Agent
    let deadline: MonotonicTime
    var thresholds: Thresholds
    /// At most so many pictures.
    var mostPictures = Self.mostPictures
    /// A probe gives nothing that is young the time to grow old, and remembers what was searched for.
    var isProbe = false
    /// Where one picture is enough, who ran in it is watched for a moment more.
    var watchesCores = false
    /// Called where one picture is not enough.
    var doubt: @Sendable () -> Void = {}

    /// Between the first two pictures: too short to date anything, which the kernel's clocks do; it
    /// shows what is still at all.
    static let gap = Duration.milliseconds(50)
    static let mostPictures = 5
    /// Nobody is kept waiting for longer than this to see what is young grow old enough.
    private static let longestPause = 1.0

    private let began = MonotonicTime.now

    /// `thresholds` are nil for the agent's own.
    init(agent: Agent, deadline: MonotonicTime, thresholds: Thresholds? = nil) {
        self.agent = agent
        self.deadline = deadline
        self.thresholds = thresholds ?? Thresholds(agent.configuration)
    }

    /// What is captured for it.
    static let parts = Picture.Parts.all
    /// Waiting items of a queue that are read.
    private static let items = 32

    /// Takes a picture, with for how long each thread hasn't run.
    func capture() -> Picture {
        // One picture must not take all the time of the next; of a probe one is enough as a rule.
        let share = isProbe ? deadline.remaining / 5 * 4 : deadline.remaining / 3 * 2
        var capture = Capture(Self.parts, of: agent, until: .now.advanced(by: share))
        capture.items = Self.items
        var picture = capture.take()
        addAges(to: &picture)
        agent.shared.waits.withLock { $0.note(picture) }
        return picture
    }

    /// Judges a picture, and takes further ones as long as there is something to be confirmed: after a
    /// short while, and where something then seems not to move, after as long as it takes to be sure.
    func answer(from first: Picture) -> StuckAnswer { judgement(from: first).answer }

    /// The same with what else was judged.
    func judgement(from first: Picture) -> Judged {
        NativeThread.givingCore { judgement(of: first) }
    }

    private func judgement(of first: Picture) -> Judged {
        var judged = first
        if isProbe { agent.shared.searchedWaits.withLock { $0 }.add(to: &judged, history) }
        if var diagnosis = Diagnosis(
            ofHealthy: judged, history: history, thresholds: thresholds, isPatient: !isProbe)
        {
            if watchesCores { diagnosis.note(sharesAfter: shares(of: diagnosis.mayBeBusy)) }
            return outcome(of: diagnosis, first, 1)
        }
        doubt()
        return judgement(since: first)
    }

    /// How much of a core each of these threads uses, watched for 50 ms; no time where there are none.
    private func shares(of threads: [Int32]) -> [Int32: Double] {
        guard !threads.isEmpty else { return [:] }
        let began = MonotonicTime.now
        let earlier = threads.map { ThreadSchedules.processorTime(of: $0) }
        pause(until: began.advanced(by: Self.gap))
        let length = MonotonicTime.now.since(began).seconds
        var shares: [Int32: Double] = [:]
        for (thread, earlier) in zip(threads, earlier) {
            guard let earlier, let later = ThreadSchedules.processorTime(of: thread),
                later > earlier, length > 0
            else { continue }
            shares[thread] = Double(later - earlier) / 1e9 / length
        }
        return shares
    }

    private func outcome(of diagnosis: Diagnosis, _ picture: Picture, _ captures: Int) -> Judged {
        let answer = diagnosis.answer(captures: captures, took: MonotonicTime.now.since(began))
        if thresholds == Thresholds(agent.configuration) { agent.shared.judgement.keep(answer) }
        return Judged(
            answer: answer, picture: picture, holds: diagnosis.untilOlder.map { .seconds($0) })
    }

    /// Compares a further picture with an earlier one, and goes on from there.
    func judgement(since first: Picture) -> Judged {
        var before = first
        var after = capture(after: before, Self.gap)
        var pictures = 2
        var diagnosis = diagnosis(before, &after, &pictures)
        // Who will be woken by something alive is not searched for again in the same answer.
        var searched = SearchedWaits()
        // What had only just come to rest is seen at rest by another one soon.
        if diagnosis.hasNewcomers, pictures < mostPictures {
            before = after
            after = capture(after: before, Self.gap)
            searched.keep(diagnosis, isSure: false)
            searched.add(to: &after, history, onlyLiving: true)
            pictures += 1
            diagnosis = self.diagnosis(before, &after, &pictures)
        }
        // What has been at rest for long enough needs no further one; what none can date does.
        let enough = Duration.seconds(thresholds.stuckAfter) + .milliseconds(20)
        while thresholds.stuckAfter <= Self.longestPause, diagnosis.mayFindMoreLater,
            pictures < mostPictures
        {
            guard MonotonicTime(after.time).advanced(by: enough + Self.gap * 2) < deadline else {
                diagnosis.isShort = true
                break
            }
            let lost = agent.lostTime
            before = after
            after = capture(after: before, enough)
            searched.keep(diagnosis, isSure: false)
            searched.add(to: &after, history, onlyLiving: true)
            pictures += 1
            // A process that was stopped meanwhile, or had no processor, had no time to move.
            guard agent.lostTime == lost else { continue }
            diagnosis = self.diagnosis(before, &after, &pictures)
        }
        agent.shared.searchedWaits.withLock { $0.keep(diagnosis, isSure: false) }
        return outcome(of: diagnosis, after, pictures)
    }

    /// A further picture, so long after an earlier one, with the tasks that were seen to go on meanwhile.
    private func capture(after earlier: Picture, _ length: Duration) -> Picture {
        let moment = MonotonicTime(earlier.time).advanced(by: length)
        pause(until: MonotonicTime(earlier.time).advanced(by: length - Self.gap))
        let moved = TaskWatch(Self.waitingTasks(in: earlier)).moved(until: min(moment, deadline))
        pause(until: moment)
        var picture = capture()
        picture.movedTasks = moved
        return picture
    }

    /// Those that wait to be resumed, and could be called stuck.
    private static func waitingTasks(in picture: Picture) -> [TaskFacts] {
        picture.tasks.filter { $0.state == .suspended && $0.waitsFor == .continuation }
    }

    private var history: WaitHistory { agent.shared.waits.withLock { $0 } }

    /// Judges two pictures, with what the memory says of who could end the waits in them.
    ///
    /// Who is taken to be beyond help on that ground may have gone on before the memory was searched: he
    /// has to stand there in another picture, and another search must find nobody either. What was found
    /// so once is not searched for again for as long as nobody moves.
    private func diagnosis(
        _ before: Picture, _ after: inout Picture, _ pictures: inout Int
    ) -> Diagnosis {
        var compared = ComparedPictures(before, after, history: history)
        let targets = compared.targets
        guard !targets.isEmpty else { return Diagnosis(of: compared, thresholds: thresholds) }
        let known = agent.shared.searchedWaits.withLock { $0 }.lost(targets, in: compared)
        after.add(known)
        addHolders(of: targets.filter { after.holders[$0] == nil }, to: &after, passes: 1)
        compared.take(holdersOf: after)
        let found = Diagnosis(of: compared, thresholds: thresholds)
        guard found.isFoundBySearch else { return found }
        let doubtful = found.endlessTargets.filter { known[$0] == nil }
        guard !doubtful.isEmpty else { return found }
        return confirm(doubtful, before, &after, &pictures)
    }

    /// How often what nobody can end is searched for, where others go on: a busy server's task is resumed
    /// and waits anew while memory is read, one piece after another. One search in four didn't meet what
    /// its task waited by (SwiftNIO, four clients).
    private static let mostSearches = 4

    /// Bears out that nobody can end these waits, or finds somebody who goes on.
    private func confirm(
        _ targets: [WaitTarget], _ before: Picture, _ after: inout Picture, _ pictures: inout Int
    ) -> Diagnosis {
        var doubtful = targets
        watch(&doubtful, in: &after, for: Self.gap)
        guard !doubtful.isEmpty else { return judge(before, after) }
        let (searched, moved) = (after.holders, after.movedTasks)
        after = capture()
        after.movedTasks = moved
        pictures += 1
        let searches = judge(before, after).isStill ? 1 : Self.mostSearches
        for number in 0..<searches where !doubtful.isEmpty {
            if number > 0 { watch(&doubtful, in: &after, for: Self.gap / 2) }
            addHolders(of: doubtful, to: &after, passes: 1)
            doubtful.removeAll { after.holders[$0]?.isLost != true }
        }
        after.add(searched)
        let last = judge(before, after)
        agent.shared.searchedWaits.withLock { $0.keep(last, isSure: true) }
        return last
    }

    /// Waits, and leaves out the tasks that go on meanwhile.
    private func watch(
        _ targets: inout [WaitTarget], in picture: inout Picture, for length: Duration
    ) {
        let waiting = Set(
            targets.compactMap { target -> UInt? in
                if case .continuation(let task) = target { task } else { nil }
            })
        let watch = TaskWatch(picture.tasks.filter { waiting.contains($0.address) })
        let moment = MonotonicTime.now.advanced(by: length)
        let moved = watch.moved(until: min(moment, deadline))
        picture.movedTasks.formUnion(moved)
        targets.removeAll { target in
            if case .continuation(let task) = target { moved.contains(task) } else { false }
        }
        if !targets.isEmpty { pause(until: moment) }
    }

    private func judge(_ before: Picture, _ after: Picture) -> Diagnosis {
        Diagnosis(of: before, after, history: history, thresholds: thresholds)
    }

    /// What could not be searched for is held by somebody who isn't known.
    private func addHolders(of targets: [WaitTarget], to picture: inout Picture, passes: Int) {
        guard !targets.isEmpty else { return }
        let result = HolderSearch.find(
            targets, in: picture, agent: agent, passes: passes,
            until: .now.advanced(by: deadline.remaining / 2))
        picture.add(result.holders)
        for target in targets where picture.holders[target] == nil {
            picture.holders[target] = Holders([], isWhole: false)
        }
        if let gap = result.gap { picture.add([gap], to: .waits) }
        if result.isLate { picture.isSearchLate = true }
    }

    private func pause(until moment: MonotonicTime) {
        _ = TimedCondition(false).wait(until: min(moment, deadline)) { $0 ? true : nil }
    }

    private func addAges(to picture: inout Picture) {
        // After the threads: a journey to each core takes a moment.
        let schedules = agent.shared.schedules
        var times = OffCPUTimes(awaitedCores: agent.shared.awaitedCores)
        for index in picture.threads.indices.prefix(Capture.mostThreads) {
            if picture.threads[index].isAgent || picture.threads[index].wait == .idle { continue }
            guard MonotonicTime.now < deadline else {
                picture.add(
                    ["for how long threads have waited was not read by the deadline"], to: .waits,
                    isCut: true)
                break
            }
            if picture.threads[index].wait == .running {
                picture.threads[index].age = OffCPUTimes.age(of: picture.threads[index].id)
                continue
            }
            let thread = picture.threads[index]
            guard let known = schedules.schedule(of: thread) else { continue }
            picture.threads[index].offCPUFor = times.offCPU(thread, since: known)
            picture.threads[index].age = known.birth.map { MonotonicTime.now.since($0).seconds }
        }
        schedules.keep(picture.threads)
    }
}

extension Thresholds {
    /// What the host, or its environment, has set.
    fileprivate init(_ configuration: AgentConfiguration) {
        self.init(
            stuckAfter: configuration.stuckAfter.seconds,
            stuckAfterInput: configuration.stuckAfterInput.seconds,
            stuckAfterRequest: configuration.stuckAfterRequest.seconds)
    }
}

extension MonotonicTime {
    /// A picture's moment.
    init(_ time: Duration) {
        let parts = time.components
        self.init(
            nanoseconds: UInt64(clamping: parts.seconds &* 1_000_000_000)
                + UInt64(clamping: parts.attoseconds / 1_000_000_000))
    }

    /// The moment as a picture keeps it.
    var sinceStart: Duration { .nanoseconds(Int64(clamping: nanoseconds)) }
}
#endif
