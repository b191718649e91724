#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// The setters and getters of classes that a change meets.
///
/// They are found by their symbols, and no file is read in an owner's turn: a walk that meets a class whose
/// symbols were not read stops and says so, they are read, and it is made again.
final class PropertySetters: Sendable {
    private struct State {
        var wanted: Any.Type?
        var read: [ObjectIdentifier: Reading] = [:]
    }

    private enum Reading {
        case found([TypeMethod])
        /// There are none: the class isn't the program's own, or its symbols were stripped.
        case none
        /// Not by the deadline. It may have setters.
        case late
    }

    private let state = Locked(State())
    /// Whether they are only told and what is stored is written past them.
    let isRaw: Bool

    init(isRaw: Bool = false) { self.isRaw = isRaw }

    /// How many classes one path may have read.
    private static let most = 16

    /// What a property is set and read by.
    struct Accessors {
        var setter: TypeMethod
        var getter: TypeMethod?
        var type: Any.Type
    }

    /// The accessors of a property of a class; nil where none are known.
    ///
    /// - Throws: Where they have to be read first; ``load(_:until:)`` then reads them.
    func accessors(
        of name: String, in type: Any.Type
    ) throws(CommandFailure) -> Accessors? {
        guard let methods = try methods(of: type) else { return nil }
        let named = methods.filter {
            $0.name == name && $0.signature?.isStatic == false && $0.refusal == nil
        }
        // The most derived one comes first.
        guard let setter = named.first(where: { $0.signature?.kind == .setter }),
            let type = setter.signature?.parameters.first?.type
        else { return nil }
        return Accessors(
            setter: setter, getter: named.first { $0.signature?.kind == .getter }, type: type)
    }

    private func methods(of type: Any.Type) throws(CommandFailure) -> [TypeMethod]? {
        if let known = TypeMethods.known(of: type) { return known }
        let reading = state.withLock { state in
            if state.read[ObjectIdentifier(type)] == nil { state.wanted = type }
            return state.read[ObjectIdentifier(type)]
        }
        switch reading {
        case .found(let methods): return methods
        case .none?: return nil
        case .late:
            throw CommandFailure(
                .timeout,
                "nothing was changed: the setters of \(TypeNames.name(of: type)) could not be read in time",
                hint: "try again; --raw writes what is stored past them")
        case nil: throw CommandFailure(.internal, "the setters of the class were not read")
        }
    }

    /// Whether a walk has asked for what is to be read.
    var isWaiting: Bool {
        state.withLock { $0.wanted != nil && $0.read.count < Self.most }
    }

    /// Reads what a walk has asked for; false where it has asked for nothing more.
    func load(_ symbols: Symbolicator, until deadline: MonotonicTime) -> Bool {
        let wanted = state.withLock { state -> Any.Type? in
            guard let wanted = state.wanted, state.read.count < Self.most else { return nil }
            state.wanted = nil
            return wanted
        }
        guard let wanted else { return false }
        // Kept here: others' lists may take the place of these before the walk is made again.
        let methods = TypeMethods.all(of: wanted, symbols, until: deadline)
        let isLate = methods == nil && MonotonicTime.now >= deadline
        state.withLock { state in
            state.read[ObjectIdentifier(wanted)] =
                methods.map { .found($0) } ?? (isLate ? .late : Reading.none)
        }
        return true
    }
}

extension PathChanging {
    /// Runs a body again each time that it has met a class whose setters were to be read first.
    func readingSetters<Value>(
        _ body: () throws(CommandFailure) -> Value
    ) throws(CommandFailure) -> Value {
        while true {
            do throws(CommandFailure) {
                return try body()
            } catch {
                guard setters.load(context.agent.symbols, until: context.answerDeadline) else {
                    throw error
                }
            }
        }
    }
}

extension StoredWalk {
    /// Goes on through a property that has code of its own around its storage: it is changed as a copy, which is
    /// then given to its setter. False where the property is plainly stored, or its setter is not known.
    func descend(
        throughSetterOf name: String, of type: Any.Type, at base: UnsafeMutableRawPointer,
        _ rest: Rest
    ) throws(CommandFailure) -> Bool {
        guard let setters, TypeMetadata(type).kind == .classType, !needsLock else { return false }
        guard !setters.isRaw else {
            // So that it is known what does not run.
            _ = try setters.accessors(of: name, in: type)
            return false
        }
        let field = FieldCache.fields(of: type).last { $0.shownName == name || $0.name == name }
        guard field?.isLazy != true, field?.isNoncopyable != true,
            field == nil || field?.ownership == .strong,
            let accessors = try setters.accessors(of: name, in: type)
        else { return false }
        let isStored = field?.name == name
        guard !isStored || accessors.setter.hasObservers else { return false }
        let object = Unmanaged<AnyObject>.fromOpaque(base).takeUnretainedValue()
        guard isOwned(object),
            let value = try value(of: field, isStored: isStored, accessors, object, at: base)
        else { return false }
        if masks.masks(name: name, of: accessors.type) { isMasked = true }
        rendered += ValuePath.Component.property(name).description
        if let field { mark(field, of: type, FieldCache.fields(of: type), at: base) }
        let code = isStored ? "its observers" : "its setter"
        note = isWriting ? "\(code) ran" : "\(code) will run"
        let (address, outer) = (self.object, obstacle)
        let changed = try changedCopy(of: value, accessors.type, rest)
        // What stands in another object was changed there.
        guard isWriting, self.object == address, let changed else { return true }
        obstacle = outer
        _ = accessors.setter.call(on: object, [changed])
        hasSet = true
        return true
    }

    private func value(
        of field: StoredField?, isStored: Bool, _ accessors: PropertySetters.Accessors,
        _ object: AnyObject, at base: UnsafeMutableRawPointer
    ) throws(CommandFailure) -> Any? {
        if isStored, let field { return TypedMemory.load(field.type, at: base + field.offset) }
        switch accessors.getter?.call(on: object, []) {
        case .returned(let value)?: return value
        case .threw?, nil: return nil
        }
    }

    /// A value after what the rest of the path does to it.
    private func changedCopy(
        of value: Any, _ type: Any.Type, _ rest: Rest
    ) throws(CommandFailure) -> Any? {
        let outcome = TypedMemory.withMemory(for: type) {
            memory -> Result<Any?, CommandFailure> in
            guard TypedMemory.initialize(memory, to: value, as: type) else {
                return .success(nil)
            }
            defer { TypedMemory.destroy(type, at: memory) }
            do throws(CommandFailure) {
                try self.descend(at: memory, type, rest)
                return .success(isWriting ? TypedMemory.load(type, at: memory) : nil)
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// Says what a change of the storage alone passes by.
    func noteObservers(of name: String, in type: Any.Type) {
        guard TypeMetadata(type).kind == .classType, let setters else { return }
        guard let methods = TypeMethods.known(of: type) else {
            // With `--raw` nothing was to run.
            if !setters.isRaw, note == nil {
                note =
                    "whether it has a willSet or didSet, which did not run then, is not known: the "
                    + "program's symbols were stripped, or not read in time"
            }
            return
        }
        guard methods.contains(where: { $0.name == name && $0.hasObservers }) else { return }
        note = "its willSet and didSet did not run"
    }
}
#endif
