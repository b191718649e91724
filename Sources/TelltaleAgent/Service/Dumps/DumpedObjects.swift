#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// The registered objects while a dump reads them.
///
/// One is begun after the other: each is read by a thread that competes with the host's for the cores, and
/// eight of them at once made a request wait for a tick of the scheduler, 4 ms (measured on two cores). An owner
/// that does not answer at once is left to itself, so that all such cost one deadline together. Each of their
/// objects holds a worker until its owner comes back.
struct DumpedObjects {
    private let reading: ObjectReading
    /// What one reading is waited for before the next is begun, and all of them together.
    private static let turn = Duration.milliseconds(5)
    private static let turns = Duration.milliseconds(50)
    private let calls: [(wanted: ObjectReading.Wanted, call: HostCall<ObjectReading.Turn>)]

    /// Begins. An object is walked while its owner waits, so the walk ends when the waiting does.
    init(agent: Agent, within timeout: Duration, until deadline: MonotonicTime) {
        let reading = ObjectReading(agent: agent)
        let limits = agent.readLimits(until: deadline)
        let time = OwnerTime(timeout)
        let last = MonotonicTime.now.advanced(by: Self.turns)
        calls = agent.shared.objects.all.filter { !$0.isLeftOutOfDumps }.map { entry in
            let wanted = ObjectReading.Wanted(entry: entry, limits: limits, time: time)
            let call = reading.start(wanted)
            _ = call.isFinished(by: min(last, .now.advanced(by: Self.turn)))
            return (wanted, call)
        }
        self.reading = reading
    }

    func finish() -> [DumpReport.Object] {
        // Those without an owner first: they wait for nobody, and a frozen copy of one must not be
        // left with the time that a hung owner has used up.
        var results: [UInt64: ObjectReading.Result] = [:]
        let order =
            calls.filter { $0.wanted.entry.owner.isNone }
            + calls.filter { !$0.wanted.entry.owner.isNone }
        for (wanted, call) in order {
            results[wanted.entry.identifier] = reading.finish(call, wanted)
        }
        return calls.map(\.wanted.entry).compactMap { entry in
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
                result: result)
        }
    }
}
#endif
