#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// Changes stored properties on their owners, and undoes the changes.
struct PathChanging {
    let context: CommandContext
    /// The setters of properties that have code around their storage.
    var setters = PropertySetters()
    /// True if a collection of many elements is emptied only after a confirmation.
    var asksBeforeEmptying = false

    /// Changes the value at a path.
    func change(_ asked: Asked) throws(CommandFailure) -> ChangeRecord {
        noteSecrets(in: asked.edit.text)
        let (target, edit, rendered) = try prepare(asked)
        let entry = target.entry
        let asksBeforeEmptying = asksBeforeEmptying
        let change = try withReferences(edit, on: entry.owner) { (edit) throws(CommandFailure) in
            try perform(on: entry, what: rendered) { (writer, root) throws(CommandFailure) in
                try Self.verify(target, root, writer)
                var writer = writer
                writer.skipsSameValue = true
                writer.asksBeforeEmptying = asksBeforeEmptying
                return try writer.change(root, rootName: entry.name, path: target.path, edit)
            }
        }
        guard !change.isUnchanged else {
            return .unmade(
                ChangePreview(
                    path: HostLabel.shown(rendered), oldText: change.oldText,
                    newText: change.newText), ChangeRecord.unchanged, in: context)
        }
        var record = context.agent.changes.add(
            .init(path: rendered, entry: entry.name, change: change), .made(by: "set"),
            by: context.author)
        record.note = BareWord.note(record.note, of: asked.edit, set: record.new, in: context)
        noteSecrets(record.old, record.new)
        return record
    }

    /// Returns the effect of a change without making it. Collected changes to the same path are applied to
    /// the preview first.
    func preview(
        _ asked: Asked, after collected: [Asked] = []
    ) throws(CommandFailure) -> ChangePreview {
        noteSecrets(in: asked.edit.text)
        let (target, edit, rendered) = try prepare(asked)
        let entry = target.entry
        let (earlier, isPartial) = try before(asked, collected)
        let looking = { (earlier: [ValueEdit]) throws(CommandFailure) in
            try self.withReferences(edit, earlier, on: entry.owner) {
                (edit) throws(CommandFailure) in
                try self.perform(on: entry, what: rendered) {
                    (writer, root) throws(CommandFailure) in
                    try Self.verify(target, root, writer)
                    return try writer.preview(
                        root, rootName: entry.name, path: target.path, edit, after: earlier)
                }
            }
        }
        var preview: ChangePreview
        do throws(CommandFailure) {
            preview = try looking(earlier)
        } catch {
            guard !earlier.isEmpty, (try? looking([])) != nil else { throw error }
            var failure = error
            failure.message +=
                " after what was collected for it since `begin`; by itself it could be made"
            throw failure
        }
        if isPartial {
            let word = "what was collected for what is above or below it is not in this"
            preview.note = preview.note.map { "\($0); \(word)" } ?? word
        }
        preview.note = BareWord.note(
            preview.note, of: asked.edit, set: preview.newText, in: context)
        preview.path = HostLabel.shown(rendered)
        noteSecrets(preview.oldText, preview.newText)
        return preview
    }

    /// Marks the command as one with a secret, if its typed text contains one that answers mask. Longer lines
    /// are skipped, because no client keeps them.
    private func noteSecrets(in typed: TypedText) {
        guard typed.text.utf8.count <= Self.longestKept,
            let literal = (try? typed.parsed.get())?.literal,
            literal.masked(by: context.agent.masks.names) != literal.description
        else { return }
        context.bringsSecret.set()
    }

    private func noteSecrets(_ texts: String?...) {
        let isMasked = texts.contains { text in
            text.map { String($0).contains(MaskPolicy.text) } ?? false
        }
        if isMasked { context.bringsSecret.set() }
    }

    /// The size in bytes of the longest line that a client keeps.
    private static let longestKept = 4096

    /// Returns the collected edits for the same path, as typed, and whether other edits are for a path above
    /// or below it.
    private func before(
        _ asked: Asked, _ collected: [Asked]
    ) throws(CommandFailure) -> (same: [ValueEdit], isPartial: Bool) {
        guard !collected.isEmpty, let place = asked.place else { return ([], false) }
        var same: [ValueEdit] = []
        var isPartial = false
        for other in collected {
            guard let (steps, edit) = other.place,
                zip(steps, place.steps).allSatisfy({ $0 == $1 })
            else { continue }
            guard steps == place.steps else {
                isPartial = true
                continue
            }
            var known = edit
            if !edit.text.paths.isEmpty {
                known.text.references = try ReferenceLoading(context: context).load(edit.text.paths)
            }
            same.append(known)
        }
        return (same, isPartial)
    }

    /// A change as it was typed.
    struct Asked: Sendable {
        let path: String
        let edit: ValueEdit

        /// The components of its path, without a range at the end, and the edit made there.
        fileprivate var place: (steps: [String], edit: ValueEdit)? {
            guard let typed = try? ValuePath(parsing: path) else { return nil }
            var (components, edit) = (typed.components, edit)
            if case .assign(let text) = edit {
                (components, edit) = ValueEdit.setting(components, to: text)
            }
            return ([ValuePath(root: typed.root).description] + components.map(\.description), edit)
        }
    }

    typealias Prepared = (target: PathReading.Target, edit: ValueEdit, rendered: String)

    func prepare(_ asked: Asked) throws(CommandFailure) -> Prepared {
        var target = try PathReading(context: context).resolve(asked.path)
        // A global whose own value is to be replaced is not a place in its current object.
        if target.entry.isFound, !target.path.isEmpty || target.entry.isObject,
            let owned = FoundOwner(context: context).target(of: target)
        {
            target = owned
        }
        try check(target.entry)
        var edit = asked.edit
        if case .assign(let text) = edit {
            (target.path, edit) = ValueEdit.setting(target.path, to: text)
        } else if case .range? = target.path.last {
            throw CommandFailure(
                .unsupported, "\(target.rendered) is a range, which can only be set",
                hint: "set \(target.rendered) [a, b]")
        }
        guard !target.path.isEmpty || !target.entry.isObject else {
            throw CommandFailure(
                .unsupported,
                "\(target.entry.name) itself can't be replaced, only what is stored in it",
                hint: "`show \(target.entry.name)` lists its properties")
        }
        return (target, edit, target.rendered)
    }

    static func verify(
        _ target: PathReading.Target, _ root: StoredWalk.Root, _ writer: ValueWriter
    ) throws(CommandFailure) {
        guard case .object(let object) = root else { return }
        let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        try target.expected?.verify(in: .object(at: address), masks: writer.masks)
    }

    /// Runs `body`. If the typed text turns out to contain paths, runs it again with the values at those
    /// paths, and with the values made from the other literals.
    private func withReferences<Result: Sendable>(
        _ edit: ValueEdit, _ earlier: [ValueEdit] = [], on owner: Owner,
        _ body: (ValueEdit) throws(CommandFailure) -> Result
    ) throws(CommandFailure) -> Result {
        let texts = [edit.text] + earlier.map(\.text)
        do throws(CommandFailure) {
            return try withValues(of: texts, on: owner) { () throws(CommandFailure) in
                try body(edit)
            }
        } catch {
            guard edit.text.references.isAskedFor.isSet else { throw error }
            var edit = edit
            edit.text.references = try ReferenceLoading(context: context).load(edit.text.paths)
            return try withValues(of: texts, on: owner) { () throws(CommandFailure) in
                try body(edit)
            }
        }
    }

    /// Runs a `body` that changes values of `owner`. It is repeated as long as it requests values of typed
    /// literals, which are made without the owner.
    func withValues<Result: Sendable>(
        of texts: [TypedText], on owner: Owner, _ body: () throws(CommandFailure) -> Result
    ) throws(CommandFailure) -> Result {
        while true {
            do throws(CommandFailure) {
                return try body()
            } catch {
                let asked = texts.map(\.values).filter(\.isAsked)
                guard !asked.isEmpty, make(asked, for: owner) else { throw error }
            }
        }
    }

    /// Makes the requested values, on a worker because host code may run.
    private func make(_ values: [TypedValues], for owner: Owner) -> Bool {
        let deadline = context.answerDeadline
        let made = HostCall<Bool>.on(
            .none, .read, workers: context.agent.workers, until: deadline,
            unless: context.isClientGone
        ) { values.allSatisfy { $0.make(for: owner, until: deadline) } }
        if case .finished(let isMade) = made { return isMade }
        return false
    }

    func check(_ entry: RegistryEntry) throws(CommandFailure) {
        guard !entry.isMade else {
            throw CommandFailure(
                .unsupported, "\(entry.name) is made by a closure; there is nothing to change",
                hint: "register the object that holds the value")
        }
        if case .variable = entry.target { return }
        guard !entry.isFound else { throw Self.unguarded(entry.name) }
    }

    /// The error for a change of a value whose owner is not known.
    static func unguarded(_ name: String) -> CommandFailure {
        CommandFailure(
            .unsupported,
            "\(name) was found in memory: its owner is not known, so that nothing says "
                + "when it may be changed",
            hint:
                "in the service: Telltale.register(object, as: \"name\", on: queue), or what refers to "
                + "it; what a Mutex in a global or static property guards can be set")
    }

    /// The error for a change of a value without an owner.
    static func unowned(_ name: String) -> CommandFailure {
        CommandFailure(
            .unsupported,
            "\(name) was registered without an owner, so nothing says when it may be changed",
            hint:
                "in the service: Telltale.register(object, as: \"\(name)\", on: queue), or offer "
                + "an action; what a Mutex in it guards can be set")
    }
}

extension RegistryEntry {
    /// True if the entry is an object, which itself can't be replaced.
    fileprivate var isObject: Bool {
        if case .variable = target { return false }
        return true
    }

    /// The root of a change. The caller releases an object on its owner.
    func changedRoot() throws(CommandFailure) -> StoredWalk.Root {
        if case .variable(let root) = target {
            guard case .variable(let address, let type) = try root.readRoot() else {
                throw PathChanging.unguarded(name)
            }
            return .variable(at: address, type: type)
        }
        guard let object = reference?.retained() else { throw ObjectReading.gone(self) }
        return .object(object)
    }
}
#endif
