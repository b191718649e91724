#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// Finds the owner of an object that was found in memory or that a global refers to: the object may be
/// registered, or reachable from a registered object. Each registered object is searched on its owner, within
/// the limits of reading.
struct FoundOwner {
    let context: CommandContext

    /// The maximum depth of the search, and the maximum number of elements searched in each collection.
    private static let depth = 12
    private static let elements = 10_000

    enum Finding {
        /// The same place, reached from a registered object.
        case target(PathReading.Target)
        /// No registered object leads to the place.
        case nobody
        /// An owner did not allow its object to be searched in time.
        case unknown
    }

    /// The same place, reached from a registered object; `nil` if no registered object is known to lead to
    /// it.
    func target(of found: PathReading.Target) -> PathReading.Target? {
        guard case .target(let target) = finding(of: found) else { return nil }
        return target
    }

    func finding(of found: PathReading.Target) -> Finding {
        guard let address = address(of: found.entry) else { return .nobody }
        let entries = context.agent.shared.objects.all.filter { !$0.isMade && !$0.owner.isNone }
        for entry in entries where entry.held?.address == address {
            return .target(target(found, entry, path: [], expected: nil))
        }
        var isUnknown = false
        for entry in entries {
            switch place(of: address, below: entry) {
            case .finished(let place?):
                return .target(target(found, entry, path: place.path, expected: place))
            case .finished(nil): continue
            default: isUnknown = true
            }
        }
        return isUnknown ? .unknown : .nobody
    }

    private func target(
        _ found: PathReading.Target, _ entry: RegistryEntry, path: [ValuePath.Component],
        expected: HandleTable.Place?
    ) -> PathReading.Target {
        PathReading.Target(
            entry: entry, path: path + found.path, expected: expected, rendered: found.rendered)
    }

    private func address(of entry: RegistryEntry) -> UInt? {
        guard case .variable(let root) = entry.target else { return entry.reference?.address }
        let reader = ValueReader(
            limits: context.agent.readLimits(until: context.ownerDeadline),
            masks: context.agent.masks, handles: nil)
        guard let place = try? root.readRoot() else { return nil }
        return try? reader.object(place, rootName: entry.name, path: [])?.address
    }

    private func place(
        of address: UInt, below entry: RegistryEntry
    ) -> HostCall<HandleTable.Place?>.Outcome {
        let time = OwnerTime(in: context)
        var limits = context.agent.readLimits(
            until: time.turnEnd, depth: Self.depth, elements: Self.elements)
        limits.takesLocks = false
        let reader = ValueReader(limits: limits, masks: context.agent.masks, handles: nil)
        return HostCall<HandleTable.Place?>.on(
            entry.owner, .read, in: entry.bulkhead(for: .read), workers: context.agent.workers,
            until: time.deadline, unless: context.isClientGone
        ) {
            let place = try? entry.withRoot { root throws(CommandFailure) -> HandleTable.Place? in
                let node = try reader.read(root, rootName: entry.name, path: [])
                guard let steps = Self.steps(to: Quantity.address(address), in: node),
                    let path = try? ValuePath(parsing: "x" + steps.joined()).components,
                    let found = try reader.object(root, rootName: entry.name, path: path),
                    found.address == address
                else { return nil }
                return HandleTable.Place(
                    rootName: entry.name, path: path, address: address, typeName: found.typeName)
            }
            return place ?? nil
        }
    }

    /// The path to an object as it is typed, no deeper than the read. If the object appears more than once,
    /// later appearances are references to the first.
    private static func steps(to address: String, in node: ValueNode) -> [String]? {
        if node.address == address, node.kind == .object { return [] }
        for child in node.children {
            guard let label = child.label, let rest = steps(to: address, in: child) else {
                continue
            }
            if label.hasPrefix("[") || label.hasPrefix(".") { return [label] + rest }
            return [ValuePath.Component.property(label).description] + rest
        }
        return nil
    }
}
#endif
