#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// What is kept of the path of a change, and what the change adds to that.
struct KnownPlace: Sendable {
    private let asked: PathChanging.Asked
    private let context: CommandContext
    /// How often names had been registered or taken back before the path was resolved.
    private let names: Int
    /// nil where the path has to be resolved and gone as one that was never seen.
    private let kept: KeptPlace?

    /// Looks it up; nil where nothing is kept of such a change: of one past the setters more is to be said, and
    /// what a worker makes may run code of the host's.
    init?(of asked: PathChanging.Asked, _ setters: PropertySetters, in context: CommandContext) {
        guard !setters.isRaw, context.direct != nil else { return nil }
        TypeImages.check()
        self.asked = asked
        self.context = context
        names = context.agent.shared.objects.generation
        let kept = context.agent.keptPlaces.kept(of: asked.path)
        self.kept = kept.flatMap { [names] in $0.isOver(names: names) ? nil : $0 }
    }

    /// What else the path would have to be resolved for.
    var prepared: PathChanging.Prepared? {
        kept.map { ($0.target, asked.edit, $0.target.rendered) }
    }

    /// Changes what stands there, on its owner; nil, with nothing changed, where the kept way leads nowhere now.
    func change(
        _ root: StoredWalk.Root, _ edit: ValueEdit, by writer: ValueWriter
    ) throws(CommandFailure) -> PerformedChange? {
        guard let kept, case .object(let root) = root else { return nil }
        if let change = try writer.changeSilently(kept, from: root, edit) { return change }
        context.agent.keptPlaces.forget(kept, of: asked.path)
        return nil
    }

    /// Keeps where a change of this path was made for the second time, on its owner.
    func keep(
        _ seen: KeptPlace.Seen?, of target: PathReading.Target, _ root: StoredWalk.Root,
        _ edit: ValueEdit, by writer: ValueWriter
    ) {
        // A range of elements is changed with the whole array, to which another path leads.
        if case .slice = edit { return }
        guard let seen, case .object(let root) = root, asked.path.utf8.count <= Self.longest,
            context.agent.keptPlaces.note(asked.path)
        else { return }
        let session = ReadSession(
            limits: writer.limits, masks: writer.masks, handles: nil, rootName: target.entry.name,
            isPlain: false, source: .process)
        let place = KeptPlace(target, seen, from: root, names: names, in: session)
        if let place { context.agent.keptPlaces.keep(place, for: asked.path) }
    }

    /// The bytes of the longest path that is kept.
    private static let longest = 512
}
#endif
