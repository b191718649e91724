#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// Changes stored properties on their owners, and puts them back.
struct PathChanging {
    let context: CommandContext

    private typealias Outcome = Result<PerformedChange, CommandFailure>

    /// Changes what `path` names to the value that `text` is.
    func set(_ path: String, to text: String) throws(CommandFailure) -> ChangeRecord {
        let target = try PathReading(context: context).resolve(path)
        let entry = target.entry
        try check(entry)
        guard !target.path.isEmpty else {
            throw CommandFailure(
                .unsupported,
                "\(entry.name) itself can't be replaced, only what is stored in it",
                hint: "`show \(entry.name)` lists its properties")
        }
        let change = try perform(on: entry, what: target.rendered) {
            (writer, object) throws(CommandFailure) in
            let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
            try target.expected?.verify(in: .object(at: address), masks: writer.masks)
            return try writer.set(object, rootName: entry.name, path: target.path, text: text)
        }
        return context.agent.changes.add(
            path: target.rendered, entry: entry.name, change: change, by: context.peer,
            undoes: nil)
    }

    func undo(_ number: Int) throws(CommandFailure) -> ChangeRecord {
        let (kept, path, name) = try context.agent.changes.undoable(number)
        guard let entry = context.agent.shared.objects.entry(name) else {
            throw CommandFailure(
                .gone,
                "change \(number) was made below \(name), which is not registered any more")
        }
        try check(entry)
        let change = try perform(on: entry, what: path) {
            (writer, object) throws(CommandFailure) in
            try writer.undo(kept, root: object)
        }
        return context.agent.changes.add(
            path: path, entry: name, change: change, by: context.peer, undoes: number)
    }

    /// Changes the object behind `entry` where its owner allows it.
    private func perform(
        on entry: RegistryEntry, what: String,
        _ change:
            @escaping @Sendable (ValueWriter, AnyObject) throws(CommandFailure)
            -> PerformedChange
    ) throws(CommandFailure) -> PerformedChange {
        let time = OwnerTime(in: context)
        let writer = ValueWriter(
            limits: context.agent.readLimits(until: time.deadline),
            masks: context.agent.masks, owner: entry.owner,
            isGuarded: !entry.owner.isNone)
        let outcome = HostCall<Outcome>.on(
            entry.owner, .write, in: entry.bulkhead(for: .write),
            workers: context.agent.workers, until: time.deadline, unless: context.isClientGone
        ) {
            guard let object = entry.reference?.retained() else {
                return .failure(ObjectReading.gone(entry))
            }
            do throws(CommandFailure) {
                return .success(try change(writer, object))
            } catch {
                return .failure(error)
            }
        }
        return try finish(outcome, entry, what: what, within: time)
    }

    private func check(_ entry: RegistryEntry) throws(CommandFailure) {
        guard !entry.isMade else {
            throw CommandFailure(
                .unsupported, "\(entry.name) is made by a closure; there is nothing to change",
                hint: "register the object that holds the value")
        }
        guard !entry.isFound else {
            throw CommandFailure(
                .unsupported,
                "\(entry.name) was found in memory: its owner is not known, so that nothing says "
                    + "when it may be changed",
                hint: "in the service: Telltale.register(object, as: \"name\", on: queue)")
        }
    }

    /// Why something can't be changed that nobody guards.
    static func unowned(_ name: String) -> CommandFailure {
        CommandFailure(
            .unsupported,
            "\(name) was registered without an owner, so nothing says when it may be changed",
            hint:
                "in the service: Telltale.register(object, as: \"\(name)\", on: queue), or offer "
                + "an action; what a Mutex in it guards can be set")
    }

    private func finish(
        _ outcome: HostCall<Outcome>.Outcome, _ entry: RegistryEntry, what: String,
        within time: OwnerTime
    ) throws(CommandFailure) -> PerformedChange {
        switch outcome {
        case .finished(let result): return try result.get()
        case .cancelled:
            throw CommandFailure(
                .timeout,
                "\(what) was not changed: \(entry.owner.shortName) did not answer in "
                    + "\(time.text); the change was cancelled and will not be made later",
                hint: "`stuck` says who holds it")
        case .abandoned:
            throw CommandFailure(
                .timeout,
                "\(what): the change was begun and has not come back; whether it was made "
                    + "is not known",
                hint: "`get \(what)` once \(entry.owner.shortName) answers again")
        case .withdrawn:
            throw context.agent.changes.addWithdrawn(
                what, new: "not changed", by: context.peer, since: context.clientEnd)
        }
    }
}
#endif
