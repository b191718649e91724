#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

// What can't be copied, and so is in no collection and no `Any`: it stands in an object, or in a struct
// within one.
extension NodeMaker {
    /// What a lock guards, found in its object.
    enum Guarded {
        /// The value, in memory that nobody changes until the turn ends; whether there is a turn to end.
        case value(ValueView, note: String?, isTurn: Bool)
        case unavailable(String)
    }

    /// The node of a property whose type can't be copied.
    func noncopyable(
        _ finding: NoncopyableField.Finding, _ field: StoredField, of view: ValueView, level: Int
    ) -> ValueNode {
        let label = field.shownName
        switch finding {
        case .unreadable(let type, let reason):
            return ValueNode(
                label: label, type: type ?? "~Copyable", kind: .unavailable, note: reason)
        case .structure(let type):
            return node(
                of: view.part(at: field.offset, type: type), label: label, level: level)
        case .atomic(let type):
            return atomic(view.part(at: field.offset, type: type), label)
        case .mutex(let type, let offset):
            if session.isSecret(type) { return masked(type, label) }
            switch guarded(type, behind: offset, field, of: view) {
            case .unavailable(let reason):
                return ValueNode(
                    label: label, type: "Mutex<\(TypeNames.name(of: type))>",
                    kind: .unavailable, note: reason)
            case .value(let value, let note, let isTurn):
                defer { if isTurn { session.endTurn() } }
                var node = node(of: value, label: label, level: level)
                if let note { node.note = node.note.map { "\(note); \($0)" } ?? note }
                return node
            }
        }
    }

    /// The value behind a lock, which is taken for it.
    func guarded(
        _ type: Any.Type, behind offset: Int, _ field: StoredField, of view: ValueView
    ) -> Guarded {
        guard let object = view.block.object else {
            return .unavailable("it stands where its lock can't be taken")
        }
        let word = object &+ UInt(bitPattern: view.offset &+ field.offset)
        guard case .process = view.source else {
            // There nobody waits, and nobody gives it back.
            let holder = MutexLayout.holder(of: view.load(UInt32.self, at: field.offset) ?? 0)
            let value = view.part(at: field.offset &+ offset, type: type)
            let held = "thread \(holder) held its lock: it may be half changed"
            return .value(value, note: holder == 0 ? nil : held, isTurn: false)
        }
        guard session.limits.takesLocks else {
            session.needsMore = true
            return .unavailable("not read in place")
        }
        switch session.takeTurn(word, in: object) {
        case .held(let thread): return .unavailable("thread \(thread) holds its lock")
        case .unfit: return .unavailable("no lock stands there")
        case .taken, .own: break
        }
        let value = ValueView(
            of: type, at: word &+ UInt(bitPattern: offset), in: view.source, isStable: true)
        guard let value else {
            session.endTurn()
            return .unavailable(Self.changing)
        }
        return .value(value, note: "in its Mutex", isTurn: true)
    }

    // What an atomic has is its value's representation: the same bytes for numbers and addresses.
    private func atomic(_ view: ValueView, _ label: String) -> ValueNode {
        let name = "Atomic<\(TypeNames.name(of: view.type))>"
        guard case .scalar(let kind) = TypeShape.of(view.type), let text = kind.text(of: view)
        else {
            return ValueNode(
                label: label, type: name, kind: .unavailable,
                note: "its value's representation is not understood")
        }
        session.spend(text.utf8.count)
        return ValueNode(label: label, type: name, kind: .scalar, text: text)
    }
}
#endif
