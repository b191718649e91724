#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// The registered objects while a dump reads them.
///
/// All are begun before the first is waited for, so that owners that do not answer cost one deadline
/// together. Each of their objects holds a worker until its owner comes back.
struct DumpedObjects {
    private let reading: ObjectReading
    private let calls: [(wanted: ObjectReading.Wanted, call: HostCall<ObjectReading.Turn>)]

    /// Begins. An object is walked while its owner waits, so the walk ends when the waiting does.
    init(agent: Agent, within timeout: Duration, until deadline: MonotonicTime) {
        let reading = ObjectReading(agent: agent)
        let limits = agent.readLimits(until: deadline)
        let time = OwnerTime(timeout)
        calls = agent.shared.objects.all.filter { !$0.isLeftOutOfDumps }.map { entry in
            let wanted = ObjectReading.Wanted(entry: entry, limits: limits, time: time)
            return (wanted, reading.start(wanted))
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
