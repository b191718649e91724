#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// Changes stored properties on their owners, and puts them back.
struct PathChanging {
    let context: CommandContext
    /// By what properties are set that have code around their storage.
    var setters = PropertySetters()

    /// Changes what a path names.
    func change(_ asked: Asked) throws(CommandFailure) -> ChangeRecord {
        noteSecrets(in: asked.edit.text)
        let (target, edit, rendered) = try prepare(asked)
        let entry = target.entry
        let change = try withReferences(edit, on: entry.owner) { (edit) throws(CommandFailure) in
            try perform(on: entry, what: rendered) { (writer, root) throws(CommandFailure) in
                try Self.verify(target, root, writer)
                return try writer.change(root, rootName: entry.name, path: target.path, edit)
            }
        }
        var record = context.agent.changes.add(
            .init(path: rendered, entry: entry.name, change: change), .made(by: "set"),
            by: context.peer)
        record.note = BareWord.note(record.note, of: asked.edit, set: record.new, in: context)
        noteSecrets(record.old, record.new)
        return record
    }

    /// What a change would do, which is not made. Of what was collected to be made before it, what is for
    /// the same path is reckoned in.
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

    /// Notes what was typed where it has what is masked in an answer. No client keeps a longer line.
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

    /// The bytes of the longest line that a client keeps.
    private static let longestKept = 4096

    /// The edits that were collected for the same path as it was typed, and whether others are for what
    /// is above or below it.
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

        /// The steps of its path, without a range at its end, and what is done there.
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
        // A global that is itself to be given another object is no place in the one that it has.
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

    /// Runs a body again with what stands at the paths that were typed, if they turn out to be some, and with
    /// the values that were made of the rest.
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

    /// Runs a body that changes what `owner` has, again and again while it asks for values of what was typed,
    /// which are made without the owner.
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

    /// On a worker: code of the host's may run for it.
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

    /// Why something can't be changed whose owner is not known.
    static func unguarded(_ name: String) -> CommandFailure {
        CommandFailure(
            .unsupported,
            "\(name) was found in memory: its owner is not known, so that nothing says "
                + "when it may be changed",
            hint:
                "in the service: Telltale.register(object, as: \"name\", on: queue), or what refers to "
                + "it; what a Mutex in a global or static property guards can be set")
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
}

extension RegistryEntry {
    /// Whether it is an object, which can't be replaced itself.
    fileprivate var isObject: Bool {
        if case .variable = target { return false }
        return true
    }

    /// What a change begins at; an object is let go by the caller, on its owner.
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
