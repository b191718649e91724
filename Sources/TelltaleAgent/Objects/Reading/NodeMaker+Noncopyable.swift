#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

// Noncopyable values, which are in no collection and no `Any`: they are stored in an object or a variable, or
// in a struct inside one.
extension NodeMaker {
    /// The value that a lock guards, or the reason why it is not available.
    enum Guarded {
        /// The value, in memory that no thread changes while the session holds the lock; `isTurn` tells
        /// whether it holds one.
        case value(ValueView, note: String?, isTurn: Bool)
        case unavailable(String)
    }

    /// The node of a property whose type is noncopyable.
    func noncopyable(
        _ finding: NoncopyableField.Finding, _ field: StoredField, of view: ValueView, level: Int
    ) -> ValueNode {
        let label = field.shownName
        switch finding {
        case .unreadable(let type, let reason):
            return ValueNode(
                label: label, type: type ?? "~Copyable", kind: .unavailable, note: reason)
        case .value(let type):
            return node(
                of: view.part(at: field.offset, type: type), label: label, level: level)
        case .atomic(let type):
            return atomic(view.part(at: field.offset, type: type), type, label, level: level)
        case .mutex(let type, let offset):
            return mutex(
                view.part(at: field.offset, type: type), type, behind: offset, label,
                level: level)
        }
    }

    /// The node of a lock's value of type `type`, `offset` bytes after the lock's word.
    func mutex(
        _ view: ValueView, _ type: Any.Type, behind offset: Int, _ label: String?, level: Int
    ) -> ValueNode {
        if session.isSecret(type) { return masked(type, label) }
        switch guarded(view, type, behind: offset) {
        case .unavailable(let reason):
            return ValueNode(
                label: label, type: "Mutex<\(TypeNames.name(of: type))>", kind: .unavailable,
                note: reason)
        case .value(let value, let note, let isTurn):
            defer { if isTurn { session.endTurn() } }
            var node = node(of: value, label: label, level: level)
            if let note { node.note = node.note.map { "\(note); \($0)" } ?? note }
            return node
        }
    }

    /// Takes a lock and returns its value; `view` begins with the lock's word.
    func guarded(_ view: ValueView, _ type: Any.Type, behind offset: Int) -> Guarded {
        guard let word = view.place else {
            return .unavailable("it stands where its lock can't be taken")
        }
        guard case .process = view.source else {
            // No thread runs in the snapshot, so its locks are never released and can't be waited for.
            let holder = MutexLayout.holder(of: view.load(UInt32.self) ?? 0)
            let held = "thread \(holder) held its lock: it may be half changed"
            return .value(
                view.part(at: offset, type: type), note: holder == 0 ? nil : held, isTurn: false)
        }
        // The memory of a variable is never freed.
        guard session.limits.takesLocks || view.block.variable != nil else {
            session.needsMore = true
            return .unavailable("not read in place")
        }
        switch session.takeTurn(word, in: view.block.object) {
        case .held(let thread): return .unavailable("thread \(thread) holds its lock")
        case .unfit: return .unavailable("no lock stands there")
        case .taken, .own: break
        }
        let value = ValueView(
            of: type, at: word &+ UInt(bitPattern: offset), in: view.source, isStable: true,
            isVariable: view.block.variable != nil)
        guard let value else {
            session.endTurn()
            return .unavailable(Self.changing)
        }
        return .value(value, note: "in its Mutex", isTurn: true)
    }

    /// The node of an atomic value's representation: the value's own bytes for numbers and addresses, the raw
    /// value of an enum that has one, and for a duration two words, the high one first.
    func atomic(
        _ view: ValueView, _ type: Any.Type, _ label: String?, level: Int
    ) -> ValueNode {
        let name = "Atomic<\(TypeNames.name(of: type))>"
        func leaf(_ text: String?, note: String? = nil) -> ValueNode {
            guard let text else { return unavailable(type, label, Self.changing) }
            session.spend(text.utf8.count)
            return ValueNode(label: label, type: name, kind: .scalar, text: text, note: note)
        }
        if session.isSecret(type) { return masked(type, label) }
        let value = view.part(type: type)
        switch AtomicRepresentation.of(type) {
        case .own(let kind): return leaf(kind.text(of: value))
        case .same:
            var node = node(
                of: ValueView(
                    block: value.block, offset: value.offset, type: type, isStable: true),
                label: label, level: level)
            node.type = name
            return node
        case .raw(let raw, let kind):
            return leaf(kind.text(of: view.part(type: raw)), note: "its raw value")
        case .duration:
            guard let high = view.load(Int64.self), let low = view.load(UInt64.self, at: 8) else {
                return leaf(nil)
            }
            let attoseconds = Int128(high) << 64 | Int128(low)
            return leaf(Duration(attoseconds: attoseconds).description)
        case .unknown:
            return ValueNode(
                label: label, type: name, kind: .unavailable,
                note: "its value's representation is not understood")
        }
    }
}

/// The representation of a value in an `Atomic` (`AtomicRepresentable` of swift-6.3.1).
enum AtomicRepresentation {
    /// The value itself, a scalar.
    case own(ScalarKind)
    /// The value itself.
    case same
    case raw(Any.Type, ScalarKind)
    /// Two words, the high word before the low one.
    case duration
    case unknown

    static func of(_ type: Any.Type) -> AtomicRepresentation {
        if type == Duration.self { return .duration }
        switch TypeShape.of(type) {
        case .scalar(let kind): return .own(kind)
        case .optional(let wrapped):
            // Only values with an address, which is never 0, have an optional representation.
            if case .scalar(.pointer) = TypeShape.of(wrapped) { return .same }
            return .unknown
        case .structure(let fields):
            if isWordPair(type) { return .same }
            guard let raw = rawType(type), case .scalar = TypeShape.of(raw), fields.count == 1,
                fields[0].type == raw
            else { return .unknown }
            return .same
        case .enumeration:
            guard let raw = rawType(type), case .scalar(let kind) = TypeShape.of(raw) else {
                return .unknown
            }
            return .raw(raw, kind)
        default: return .unknown
        }
    }

    private static func isWordPair(_ type: Any.Type) -> Bool {
        _typeName(type) == "Synchronization.WordPair"
    }

    private static func rawType(_ type: Any.Type) -> Any.Type? {
        func raw<Value: RawRepresentable>(_: Value.Type) -> Any.Type { Value.RawValue.self }
        return (type as? any RawRepresentable.Type).map { raw($0) }
    }
}
#endif
