#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// Loads the values at paths that were typed as values, each on its owner.
struct ReferenceLoading {
    let context: CommandContext

    /// The maximum number of paths in one value.
    private static let mostPaths = 256

    /// Loads the value at each path.
    ///
    /// - Throws: `.bound` for too many paths.
    func load(_ paths: [ValuePath]) throws(CommandFailure) -> TypedReferences {
        guard paths.count <= Self.mostPaths else {
            throw CommandFailure(
                .bound,
                "\(Quantity.count(paths.count)) paths in one value; \(Self.mostPaths) are allowed")
        }
        var references = TypedReferences()
        for path in paths where references.found[path.description] == nil {
            do throws(CommandFailure) {
                references.found[path.description] = .success(try load(path))
            } catch {
                references.found[path.description] = .failure(error)
            }
        }
        return references
    }

    private func load(_ path: ValuePath) throws(CommandFailure) -> HeldValue<Any> {
        let found = try PathReading(context: context).resolve(path)
        let owned = found.entry.isFound ? FoundOwner(context: context).target(of: found) : nil
        let target = owned ?? found
        let entry = target.entry
        guard !entry.isMade, !entry.isFound else {
            throw CommandFailure(
                .unsupported,
                "\(path) can't be taken as a value: "
                    + (entry.isMade
                        ? "it is made by a closure"
                        : "it was found in memory, and nobody guards it"),
                hint: "write the path of a registered object, or of what is stored below one")
        }
        let masks = context.agent.masks
        return try ObjectReading.onOwner(of: entry, within: OwnerTime(in: context), in: context) {
            () throws(CommandFailure) in
            guard let object = entry.reference?.retained() else { throw ObjectReading.gone(entry) }
            let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
            try target.expected?.verify(in: .object(at: address), masks: masks)
            return HeldValue(try Self.value(of: object, target, masks), of: entry.owner, .toOwner)
        }
    }

    // Called on the owner.
    private static func value(
        of object: AnyObject, _ target: PathReading.Target, _ masks: MaskPolicy
    ) throws(CommandFailure) -> Any {
        guard !target.path.isEmpty else { return object }
        var value: Any?
        let walk = StoredWalk(
            rootName: target.entry.name, masks: masks, isWriting: false,
            needsLock: target.entry.owner.isNone
        ) { (place, walk) throws(CommandFailure) in
            guard !ChangedType.holdsFunction(place.type) else { return }
            value = try place.load(walk.rendered).value
        }
        walk.turn = .init(on: target.entry.owner)
        try walk.walk(from: .object(object), target.path)
        guard !walk.isMasked else {
            throw CommandFailure(
                .denied, "\(target.rendered) is a secret, which is not copied to another place")
        }
        guard let value else {
            throw CommandFailure(.notFound, "\(target.rendered) is not there, or can't be copied")
        }
        return value
    }
}
#endif
