#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// The registered objects while a dump reads them.
///
/// Reads are started one after the other. Each is done by a thread that competes with the host's threads
/// for the cores, and eight of them at once made a request wait for a tick of the scheduler, 4 ms (measured
/// on two cores). If an owner does not respond at once, the dump starts the next read, so that all such
/// owners cost one deadline together. Each of their objects occupies a worker until its owner responds.
struct DumpedObjects {
    private let reading: ObjectReading
    private let entries: [RegistryEntry]
    /// The time that one read gets before the next is started, and the time for all of them together.
    private static let turn = Duration.milliseconds(5)
    private static let turns = Duration.milliseconds(50)
    private let calls: [(wanted: ObjectReading.Wanted, call: HostCall<ObjectReading.Turn>)]
    /// The results for objects without an owner, whose reads wait for no other thread.
    private let unowned: [UInt64: ObjectReading.Result]

    /// Starts the reads. An object is read while its owner waits, so the read ends when the wait does.
    ///
    /// Objects without an owner are read to the end here. A snapshot that was queued behind the search for
    /// stuck threads, which takes seconds on a loaded machine, was started after its deadline.
    init(agent: Agent, within timeout: Duration) {
        let reading = ObjectReading(agent: agent)
        func wanted(_ entry: RegistryEntry) -> ObjectReading.Wanted {
            var limits = agent.readLimits(until: .now.advanced(by: timeout))
            limits.isBrief = true
            return ObjectReading.Wanted(entry: entry, limits: limits, time: OwnerTime(timeout))
        }
        entries = agent.shared.objects.all.filter { !$0.isLeftOutOfDumps }
        let last = MonotonicTime.now.advanced(by: Self.turns)
        calls = entries.filter { !$0.owner.isNone }.map { entry in
            let wanted = wanted(entry)
            let call = reading.start(wanted)
            _ = call.isFinished(by: min(last, .now.advanced(by: Self.turn)))
            return (wanted, call)
        }
        let end = MonotonicTime.now.advanced(by: timeout)
        var results: [UInt64: ObjectReading.Result] = [:]
        for entry in entries where entry.owner.isNone {
            results[entry.identifier] =
                .now < end ? reading.read(wanted(entry), snapshot: false) : Self.late(entry)
        }
        unowned = results
        self.reading = reading
    }

    private static func late(_ entry: RegistryEntry) -> ObjectReading.Result {
        .failed(
            CommandFailure(
                .timeout,
                "\(entry.name) was not read: those before it have used up the dump's time",
                hint: "`show \(entry.name)` reads it"))
    }

    func finish() -> [DumpReport.Object] {
        var results = unowned
        for (wanted, call) in calls {
            results[wanted.entry.identifier] = reading.finish(call, wanted)
        }
        return entries.compactMap { entry in
            let result: Result<ValueAnswer, CommandFailure>
            switch results[entry.identifier] {
            case .read(let content, let how):
                result = .success(
                    ValueAnswer(
                        path: entry.name, content: content, owner: entry.owner.description,
                        read: how))
            case .failed(let failure): result = .failure(failure)
            case nil: return nil
            }
            return DumpReport.Object(
                name: entry.name, type: entry.typeName, owner: entry.owner.shortName,
                isUnowned: entry.owner.isNone, result: result)
        }
    }
}
#endif
