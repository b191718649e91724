#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// The setters and getters of the classes that a change's path passes.
///
/// They are found by symbol, and no file is read during an owner access: a walk that meets a class whose
/// symbols were not read fails with an error that says so, the symbols are read, and the walk is repeated.
final class PropertySetters: Sendable {
    private struct State {
        var known: [ObjectIdentifier: [TypeMethod]] = [:]
        var wanted: Any.Type?
        var read: [ObjectIdentifier: Reading] = [:]
    }

    private enum Reading {
        case found([TypeMethod])
        /// The class has none: it isn't the program's own, or its symbols were stripped.
        case none
        /// The symbols were not read by the deadline. The class may have setters.
        case late
    }

    private let state = Locked(State())
    /// True to report setters only, and to write the storage without calling them.
    let isRaw: Bool

    init(isRaw: Bool = false) { self.isRaw = isRaw }

    /// The maximum number of classes read for one path.
    private static let most = 16

    /// The setter and the getter of a property.
    struct Accessors {
        var setter: TypeMethod
        var getter: TypeMethod?
        var type: Any.Type
    }

    /// The accessors of a property of a class; `nil` if none are known.
    ///
    /// - Throws: An error if they have to be read first, which ``load(_:until:)`` then does.
    func accessors(
        of name: String, in type: Any.Type
    ) throws(CommandFailure) -> Accessors? {
        guard let methods = try methods(of: type) else { return nil }
        let named = methods.filter {
            $0.name == name && $0.signature?.isStatic == false && $0.refusal == nil
        }
        // The most derived accessor comes first.
        guard let setter = named.first(where: { $0.signature?.kind == .setter }),
            let type = setter.signature?.parameters.first?.type
        else { return nil }
        return Accessors(
            setter: setter, getter: named.first { $0.signature?.kind == .getter }, type: type)
    }

    /// The methods of a class; `nil` if none are known. They are looked up once for a change, because that
    /// examines the list of loaded images.
    fileprivate func known(of type: Any.Type) -> [TypeMethod]? {
        let key = ObjectIdentifier(type)
        if let known = state.withLock({ $0.known[key] }) { return known }
        guard let methods = TypeMethods.known(of: type) else { return nil }
        state.withLock { $0.known[key] = methods }
        return methods
    }

    private func methods(of type: Any.Type) throws(CommandFailure) -> [TypeMethod]? {
        if let known = known(of: type) { return known }
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

    /// True if a walk has requested a class to be read.
    var isWaiting: Bool {
        state.withLock { $0.wanted != nil && $0.read.count < Self.most }
    }

    /// Reads the class that a walk has requested; false if it has requested none.
    func load(_ symbols: Symbolicator, until deadline: MonotonicTime) -> Bool {
        let wanted = state.withLock { state -> Any.Type? in
            guard let wanted = state.wanted, state.read.count < Self.most else { return nil }
            state.wanted = nil
            return wanted
        }
        guard let wanted else { return false }
        // The methods are kept here, because other classes may replace them in the cache before the walk is
        // repeated.
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
    /// Runs `body`, and repeats it each time it has met a class whose setters had to be read first.
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
    /// Continues through a property with code around its storage: a copy of its value is changed and then
    /// passed to its setter. Returns false if the property has no such code, or its setter is not known.
    func descend(
        throughSetterOf name: String, of type: Any.Type, _ plan: [PlannedField],
        at base: UnsafeMutableRawPointer, _ rest: Rest
    ) throws(CommandFailure) -> Bool {
        guard let setters, TypeMetadata(type).kind == .classType, !needsLock else { return false }
        guard !setters.isRaw else {
            // Reads the accessors only for the note that they did not run.
            _ = try setters.accessors(of: name, in: type)
            return false
        }
        let planned = plan.named(name)
        let field = planned?.field
        // A property that its type leaves out can't be named.
        guard field != nil || !FieldCache.fields(of: type).contains(where: { $0.shownName == name })
        else { return false }
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
        rendered += ValuePath.Component.property(name).description
        if let planned {
            mark(planned, in: plan, at: base)
        } else if masks.masks(name: name, of: accessors.type) {
            isMasked = true
        }
        let code = isStored ? "its observers" : "its setter"
        note = isWriting ? "\(code) ran" : "\(code) will run"
        runsCode = true
        let (address, outer) = (self.object, obstacle)
        let changed = try changedCopy(of: value, accessors.type, rest)
        // A value in another object was changed there.
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

    /// Notes the observers that a write to the storage alone bypasses.
    func noteObservers(of name: String, in type: Any.Type) {
        guard TypeMetadata(type).kind == .classType, let setters else { return }
        guard let methods = setters.known(of: type) else {
            // With `--raw` no observer was meant to run.
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
