#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// Finds the property or variable by which the objects of a class are kept.
enum GrowthHolders {
    /// Searches for what keeps some of the objects.
    ///
    /// - Parameters:
    ///   - objects: Some of the objects.
    ///   - picture: A picture with queues, tasks and threads.
    ///   - agent: The agent, for the names of variables.
    ///   - deadline: An object that was not searched for by then counts as kept by another one.
    /// - Returns: `SessionStore.sessions`; `nil` if most of the objects are kept by different ones.
    static func holder(
        of objects: [UInt], in picture: Picture, agent: Agent, until deadline: MonotonicTime
    ) -> String? {
        var found: [String: Int] = [:]
        for object in Set(objects) where MonotonicTime.now < deadline {
            guard
                let search = try? ObjectHolders(
                    of: object, in: picture, agent: agent, until: deadline)
            else { continue }
            _ = search.direct()
            // The last one before the object that has a name in the source.
            let holder = search.way().last { ["property", "variable"].contains($0.kind) }
            if let name = holder?.source { found[name, default: 0] += 1 }
        }
        let best = found.max { ($0.value, $1.key) < ($1.value, $0.key) }
        guard let best, best.value * 2 > Set(objects).count else { return nil }
        return best.key
    }
}

extension HoldersAnswer.Holder {
    /// Its name in the source.
    fileprivate var source: String {
        guard kind == "property", let place else { return name }
        return "\(name).\(place)"
    }
}
#endif
