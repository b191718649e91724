#if TELLTALE_AGENT
import Synchronization
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// Calls unregistered methods, found by symbol, on the owners of their objects.
struct MethodCalling {
    let context: CommandContext
    /// The name as typed: `photos.items[2].reload`.
    let name: String
    private let path: ValuePath
    private let method: String
    /// The type that declares the static method; `nil` if the path leads to a value.
    private var type: DescriptorSearch.Declared?
    /// The owner requested with `--on` for a static method.
    private let owner: Owner?

    /// Parses the name of the call; fails if it is not a path followed by a name.
    ///
    /// - Throws: The reason why the path's object is not available.
    init?(
        _ name: String, on owner: Owner? = nil, in context: CommandContext
    ) throws(CommandFailure) {
        guard var path = try? ValuePath(parsing: name),
            case .property(let method)? = path.components.popLast()
        else { return nil }
        if case .name(let root) = path.root {
            var names = [root]
            for component in path.components {
                guard case .property(let next) = component else { break }
                names.append("\(names.last ?? "").\(next)")
            }
            // A first name that is neither an object, a variable nor a type is left to the error for unknown
            // actions.
            let isRegistered = names.contains { context.agent.shared.objects.entry($0) != nil }
            if !isRegistered, (try? PathReading(context: context).resolve(path)) == nil {
                guard let type = try NamedType.find(path.description) else { return nil }
                self.type = type
            }
        }
        (self.context, self.name, self.path, self.method) = (context, name, path, method)
        self.owner = owner
    }

    /// Calls the method with the argument list `text`.
    func call(_ text: String, isConfirmed: Bool) throws(CommandFailure) -> CallAnswer {
        let target = try target()
        let typed: [ArgumentText]
        do throws(CommandFailure) {
            typed = try ArgumentText.all(of: text)
        } catch {
            // The parser's message and hint repeat the typed text, which may be a secret.
            throw CommandFailure(
                .usage, "what was typed for \(name) can't be read as arguments",
                hint: "they stand between commas, texts in quotes: (1, \"a\", [2])")
        }
        let method = try choose(typed, of: target)
        guard let signature = method.signature else { throw uncallable([method]) }
        guard isConfirmed else {
            throw CommandFailure(
                .unconfirmed,
                "\(name) is a method and not a registered action; it runs as if the service had called "
                    + "it: if it traps, the service crashes",
                hint: "`call --yes \(name)(…)` calls it; an action says what may be called")
        }
        let arguments = try arguments(typed, signature)
        let action = Action(
            name: name,
            parameters: signature.parameters.map { TypeNames.name(of: $0.type) },
            names: signature.parameters.contains { $0.label != nil }
                ? signature.parameters.map { $0.label ?? "" } : [],
            result: TypeNames.name(of: signature.result), owner: target.owner,
            isAsync: signature.isAsync, code: .function(method.address),
            prepare: prepare(arguments, method, signature, target))
        return try ActionCalling(context: context).call(
            action,
            arguments.map { Literal.Argument(label: $0.label, value: $0.literal ?? .null) })
    }

    /// The target of the call: the value at the path, or the type together with the requested owner.
    private func target() throws(CommandFailure) -> MethodTarget {
        guard let type else {
            guard owner == nil else {
                throw CommandFailure(
                    .usage, "--on is for static methods: \(name) runs on the owner of its object")
            }
            return try MethodTarget.find(path, in: context)
        }
        guard let owner else {
            throw CommandFailure(
                .usage, "\(name) would be a static method, and nothing says where it may run",
                hint: "`call --on main \(name)(…)`, or --on a registered object, for its owner")
        }
        return try MethodTarget.type(type, on: owner)
    }

    /// True if the value at the path has a method of that name, callable or not.
    var isKnown: Bool {
        guard type == nil, let target = try? MethodTarget.find(path, in: context),
            let methods = TypeMethods.all(
                of: target.type, context.agent.symbols, until: context.answerDeadline)
        else { return false }
        return methods.contains { shownName($0) == method }
    }

    /// The signatures of the callable methods of that name.
    var signatures: [FunctionSignature] {
        guard let target = try? target() else { return [] }
        MethodReading.begin(target.type, of: context.agent)
        let all = TypeMethods.all(
            of: target.type, context.agent.symbols, until: context.answerDeadline)
        return (all ?? []).compactMap { method in
            guard let signature = method.signature, method.refusal == nil,
                signature.kind == .method, signature.isStatic == target.isType,
                shownName(method) == self.method
            else { return nil }
            return signature
        }
    }

    // MARK: Choosing

    private func choose(
        _ typed: [ArgumentText], of target: MethodTarget
    ) throws(CommandFailure) -> TypeMethod {
        guard
            let all = TypeMethods.all(
                of: target.type, context.agent.symbols, until: context.answerDeadline)
        else {
            throw CommandFailure(
                .unsupported,
                "there is no action `\(name.escaped(limit: 100))`, and no method of "
                    + "\(TypeNames.name(of: target.type)) is known: it is not the program's own, or its "
                    + "symbols were stripped, or not read in time",
                hint: "in the service: Telltale.action(\"\(method)\", on: queue) { … }")
        }
        let named = all.filter { method in
            method.signature?.kind != .getter && method.signature?.kind != .setter
                && method.signature?.isStatic != !target.isType
                && shownName(method) == self.method
        }
        guard !named.isEmpty else {
            let type = TypeNames.name(of: target.type)
            let names = Set(all.filter { $0.signature?.kind == .method }.map(\.name))
            let actions = context.agent.shared.actions.present.map(\.name)
            throw CommandFailure(
                .notFound, "\(type) has no method `\(method.escaped(limit: 100))`",
                hint: NearestNames.question(name, among: actions)
                    ?? NearestNames.question(method, among: names.sorted())
                    ?? "`methods \(type)` lists them")
        }
        let fitting = named.filter { fits(typed, $0.signature) }
        guard let first = fitting.first(where: { $0.refusal == nil }) else {
            throw uncallable(fitting.isEmpty ? named : fitting)
        }
        if case .value = target.sort, !TypeMetadata(target.type).isTrivial {
            throw CommandFailure(
                .unsupported,
                "\(name) is a method of a struct that holds references: its symbol doesn't say whether it "
                    + "takes the value over",
                hint: "in the service: Telltale.action(\"\(method)\", on: queue) { … }")
        }
        let others = fitting.filter { $0.refusal == nil }
        guard others.count == 1 else {
            let list = others.compactMap { $0.signature?.rendered }
            throw CommandFailure(
                .usage, "\(name) can be \(list.joined(separator: " or "))",
                hint: "write the labels of the one that is meant")
        }
        return first
    }

    private func shownName(_ method: TypeMethod) -> String {
        guard method.name.isEmpty else { return method.name }
        let words = TypeMatch.withoutFiles(SymbolName.demangled(method.symbol) ?? "")
        let head = words.prefix { $0 != "(" && $0 != "<" }
        return head.split(separator: ".").last.map(String.init) ?? ""
    }

    /// Returns whether the number of typed arguments fits, and every typed label is the parameter's.
    private func fits(_ typed: [ArgumentText], _ signature: FunctionSignature?) -> Bool {
        guard let signature, signature.parameters.count == typed.count else { return false }
        return zip(typed, signature.parameters).allSatisfy { argument, parameter in
            argument.label == nil || argument.label == parameter.label
        }
    }

    private func uncallable(_ methods: [TypeMethod]) -> CommandFailure {
        let list = methods.prefix(4).compactMap { $0.signature?.rendered }
        if let refusal = methods.first?.refusal, methods.allSatisfy({ $0.refusal != nil }) {
            return CommandFailure(
                .unsupported, "\(name) can't be called: \(refusal)",
                hint: "in the service: Telltale.action(\"\(method)\", on: queue) { … }")
        }
        return CommandFailure(
            .usage, "\(name) takes other arguments",
            hint: list.isEmpty ? nil : list.joined(separator: "\n  "))
    }
}

/// Reads a type's methods ahead of the commands that have no time for it: the first read takes a second or
/// more, and the completion of a half-typed line waits only for a quarter of a second.
enum MethodReading {
    private static let longest: Duration = .seconds(10)
    /// The types being read: one worker for each, however many requests there are.
    private static let reading = Mutex<Set<ObjectIdentifier>>([])

    static func begin(_ type: Any.Type, of agent: Agent) {
        guard TypeMethods.known(of: type) == nil,
            reading.withLock({ $0.insert(ObjectIdentifier(type)).inserted })
        else { return }
        let symbols = agent.symbols
        agent.workers.submit {
            _ = TypeMethods.all(of: type, symbols, until: .now.advanced(by: longest))
            reading.withLock { _ = $0.remove(ObjectIdentifier(type)) }
        }
    }
}
#endif
