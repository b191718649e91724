#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// How an object is read that a ``KeptReading`` leads to: as `show` and `get` read what they know nothing of yet.
struct KeptObject {
    let rootName: String
    let path: [ValuePath.Component]
    let depth: Int?
    let limit: Int?

    /// Reads it, on its owner; nil where that needs more than a walk.
    func read(
        at address: UInt, _ type: Any.Type, _ agent: Agent, until deadline: MonotonicTime
    ) -> ReadTree? {
        let limits = agent.readLimits(
            until: OwnerTime.turnEnd(before: deadline), depth: depth, elements: limit)
        let session = ReadSession(
            limits: limits, masks: agent.masks, handles: agent.handles, rootName: rootName,
            isPlain: false, source: .process)
        session.path = path
        return GuardedReading.during { SessionWalk(session)?.tree(at: .object(address, type)) }
    }
}
#endif
