#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// Finds threads and tasks that make no progress. One picture is enough if no wait in it could become a
/// finding with time. Otherwise it takes two to five, and one more for each search without a potential waker.
///
/// No wait in the process delays it without a bound; operation queues are asked for 200 ms.
struct StuckSearch: Sendable {
    let agent: Agent
    let deadline: MonotonicTime
    var thresholds: Thresholds
    /// The maximum number of pictures.
    var mostPictures = Self.mostPictures
    /// A probe doesn't wait until young waits are old enough, and remembers the results of memory searches.
    var isProbe = false
    /// If one picture is enough, the threads that ran in it are watched for a moment more.
    var watchesCores = false
    /// Called if one picture is not enough.
    var doubt: @Sendable () -> Void = {}

    /// The time between the first two pictures: too short to date a wait (the kernel's clocks do), it shows
    /// which threads are still.
    static let gap = Duration.milliseconds(50)
    static let mostPictures = 5
    /// The maximum time to wait until young waits are old enough, in seconds.
    private static let longestPause = 1.0

    private let began = MonotonicTime.now

    /// A nil `thresholds` means the agent's own.
    init(agent: Agent, deadline: MonotonicTime, thresholds: Thresholds? = nil) {
        self.agent = agent
        self.deadline = deadline
        self.thresholds = thresholds ?? Thresholds(agent.configuration)
    }

    /// The captured parts.
    static let parts = Picture.Parts.all
    /// The number of waiting items that are read for each queue.
    private static let items = 32

    /// Takes a picture of these parts that includes each thread's time off the CPU.
    func capture(_ parts: Picture.Parts = Self.parts) -> Picture {
        // One picture must leave time for the next; a probe usually needs only one.
        let share = isProbe ? deadline.remaining / 5 * 4 : deadline.remaining / 3 * 2
        var capture = Capture(parts, of: agent, until: .now.advanced(by: share))
        capture.items = Self.items
        var picture = capture.take()
        addAges(to: &picture)
        if parts == Self.parts { agent.shared.waits.withLock { $0.note(picture) } }
        return picture
    }

    /// Diagnoses a picture, and takes further ones as long as a finding needs confirmation.
    func answer(from first: Picture) -> StuckAnswer { judgement(from: first).answer }

    /// Returns the diagnosis and the picture behind it.
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

    /// Returns the share of a core that each of these threads uses, measured for 50 ms; takes no time if
    /// there are none.
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

    /// Compares a further picture with an earlier one, and takes more as needed.
    func judgement(since first: Picture) -> Judged {
        var before = first
        var after = capture(after: before, Self.gap)
        var pictures = 2
        var diagnosis = diagnosis(before, &after, &pictures)
        // A wait that a live waker can end is not searched for again in the same answer.
        var searched = SearchedWaits()
        // Threads that had only just become idle are confirmed by another picture soon.
        if diagnosis.hasNewcomers, pictures < mostPictures {
            before = after
            after = capture(after: before, Self.gap)
            searched.keep(diagnosis, isSure: false)
            searched.add(to: &after, history, onlyLiving: true)
            pictures += 1
            diagnosis = self.diagnosis(before, &after, &pictures)
        }
        // Waits that are old enough need no further picture; waits that no clock can date do.
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
            // A process that was stopped in the meantime, or had no core, had no time to make progress.
            guard agent.lostTime == lost else { continue }
            diagnosis = self.diagnosis(before, &after, &pictures)
        }
        agent.shared.searchedWaits.withLock { $0.keep(diagnosis, isSure: false) }
        return outcome(of: diagnosis, after, pictures)
    }

    /// Takes a further picture, at the given time after an earlier one, with the tasks that were seen to
    /// move in between.
    private func capture(after earlier: Picture, _ length: Duration) -> Picture {
        let moment = MonotonicTime(earlier.time).advanced(by: length)
        pause(until: MonotonicTime(earlier.time).advanced(by: length - Self.gap))
        let moved = TaskWatch(Self.waitingTasks(in: earlier)).moved(until: min(moment, deadline))
        pause(until: moment)
        var picture = capture()
        picture.movedTasks = moved
        return picture
    }

    /// The tasks that wait for a continuation, and could be reported as stuck.
    private static func waitingTasks(in picture: Picture) -> [TaskFacts] {
        picture.tasks.filter { $0.state == .suspended && $0.waitsFor == .continuation }
    }

    private var history: WaitHistory { agent.shared.waits.withLock { $0 } }

    /// Diagnoses two pictures, with the potential wakers of their waits that a search of the memory finds.
    ///
    /// A waiter without a potential waker may have continued before the memory was searched. So it must
    /// still wait in another picture, and another search must find no waker either. A confirmed result is
    /// not searched for again as long as the waiter doesn't move.
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

    /// The maximum number of searches for a potential waker while other threads make progress. A busy
    /// server's task is resumed and waits anew while memory is read, one chunk after another. One search in
    /// four missed the object by which its task waited (SwiftNIO, four clients).
    private static let mostSearches = 4

    /// Confirms that no waker can end these waits, or finds one that is alive.
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

    /// Waits, and removes the tasks that make progress in the meantime.
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

    /// A wait that could not be searched for is taken to have an unknown waker.
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
        // After the threads, since a journey to each core takes a moment.
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
    /// The thresholds of the configuration, which the environment may override.
    fileprivate init(_ configuration: AgentConfiguration) {
        self.init(
            stuckAfter: configuration.stuckAfter.seconds,
            stuckAfterInput: configuration.stuckAfterInput.seconds,
            stuckAfterRequest: configuration.stuckAfterRequest.seconds)
    }
}

extension MonotonicTime {
    /// Converts the time of a picture.
    init(_ time: Duration) {
        let parts = time.components
        self.init(
            nanoseconds: UInt64(clamping: parts.seconds &* 1_000_000_000)
                + UInt64(clamping: parts.attoseconds / 1_000_000_000))
    }

    /// Converts to the time format of a picture.
    var sinceStart: Duration { .nanoseconds(Int64(clamping: nanoseconds)) }
}
#endif
