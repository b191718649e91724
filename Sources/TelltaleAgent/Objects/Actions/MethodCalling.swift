#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// Calls methods that nobody registered, found by their symbols, on the owners of their objects.
struct MethodCalling {
    let context: CommandContext
    /// `photos.items[2].reload`, as typed.
    let name: String
    private let path: ValuePath
    private let method: String

    /// Reads what is to be called; nil where it is no path and a name.
    ///
    /// - Throws: Why the path's object can't be had.
    init?(_ name: String, in context: CommandContext) throws(CommandFailure) {
        guard var path = try? ValuePath(parsing: name),
            case .property(let method)? = path.components.popLast()
        else { return nil }
        if case .name(let root) = path.root {
            var names = [root]
            for component in path.components {
                guard case .property(let next) = component else { break }
                names.append("\(names.last ?? "").\(next)")
            }
            // What begins with no object's name, nor a variable's, is an action that there isn't.
            let isRegistered = names.contains { context.agent.shared.objects.entry($0) != nil }
            guard isRegistered || (try? PathReading(context: context).resolve(path)) != nil else {
                return nil
            }
        }
        (self.context, self.name, self.path, self.method) = (context, name, path, method)
    }

    /// Calls it with what was typed between its parentheses.
    func call(_ text: String, isConfirmed: Bool) throws(CommandFailure) -> CallAnswer {
        let target = try MethodTarget.find(path, in: context)
        let typed: [ArgumentText]
        do throws(CommandFailure) {
            typed = try ArgumentText.all(of: text)
        } catch {
            // The parser's sentence and hint repeat what was typed, and nothing tells whether that is a secret.
            throw CommandFailure(
                .usage, "what was typed for \(name) can't be read as arguments",
                hint: "they stand between commas, texts in quotes: (1, \"a\", [2])")
        }
        let method = try choose(typed, of: target)
        guard let signature = method.signature else { throw uncallable([method]) }
        guard isConfirmed else {
            throw CommandFailure(
                .unconfirmed,
                "\(name) is no registered action but a method, which is called as if the service "
                    + "called it: where it traps, the service ends",
                hint: "`call --yes \(name)(…)` calls it; an action says what may be called")
        }
        let arguments = try arguments(typed, signature)
        let action = Action(
            name: name,
            parameters: signature.parameters.map { TypeNames.name(of: $0.type) },
            names: signature.parameters.contains { $0.label != nil }
                ? signature.parameters.map { $0.label ?? "" } : [],
            result: TypeNames.name(of: signature.result), owner: target.owner,
            isAsync: signature.isAsync,
            prepare: prepare(arguments, method, signature, target))
        return try ActionCalling(context: context).call(
            action,
            arguments.map { Literal.Argument(label: $0.label, value: $0.literal ?? .null) })
    }

    /// Whether what stands at the path has a method of that name, callable or not.
    var isKnown: Bool {
        guard let target = try? MethodTarget.find(path, in: context),
            let methods = TypeMethods.all(
                of: target.type, context.agent.symbols, until: context.answerDeadline)
        else { return false }
        return methods.contains { shownName($0) == method }
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
                && shownName(method) == self.method
        }
        guard !named.isEmpty else {
            let type = TypeNames.name(of: target.type)
            let names = Set(all.filter { $0.signature?.kind == .method }.map(\.name))
            let actions = context.agent.shared.actions.all.map(\.name)
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

    /// Whether as many arguments were typed, with no label that is another's.
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

    // MARK: Arguments

    /// One argument: a value as it was typed, or an object that stands at a path.
    private struct Argument: Sendable {
        var label: String?
        var literal: Literal?
        var object: HeldValue<AnyObject>?
    }

    private func arguments(
        _ typed: [ArgumentText], _ signature: FunctionSignature
    ) throws(CommandFailure) -> [Argument] {
        var arguments: [Argument] = []
        for (index, (argument, parameter)) in zip(typed, signature.parameters).enumerated() {
            let type = TypeNames.name(of: parameter.type)
            let subject = "argument \(index + 1) of \(name), of the type \(type),"
            if Self.takesObject(parameter.type), argument.text != "nil" {
                let object = try object(argument.text, subject)
                arguments.append(Argument(label: parameter.label, object: object))
                continue
            }
            do throws(CommandFailure) {
                arguments.append(
                    Argument(
                        label: parameter.label, literal: try Literal(parsing: argument.text)))
            } catch {
                throw CommandFailure(
                    .usage, "\(subject) can't be read as a value",
                    hint: ArgumentMark.text(name, signature.renderedParameters, at: index))
            }
        }
        return arguments
    }

    private static func takesObject(_ type: Any.Type) -> Bool {
        let metadata = TypeMetadata(type)
        if metadata.kind == .optional, let wrapped = metadata.argument(0) {
            return takesObject(wrapped)
        }
        return ChangedType.isClass(type)
    }

    /// The object at a path, taken on its owner.
    private func object(
        _ text: String, _ subject: String
    ) throws(CommandFailure) -> HeldValue<AnyObject> {
        guard let path = try? ValuePath(parsing: text) else {
            throw CommandFailure(
                .usage, "\(subject) is an object, which is named by its path or by #N")
        }
        let target = try MethodTarget.find(path, in: context)
        let masks = context.agent.masks
        let time = OwnerTime(in: context)
        let call = HostCall<Result<HeldValue<AnyObject>, CommandFailure>>.on(
            target.entry.owner, .read, in: target.entry.bulkhead(for: .read),
            workers: context.agent.workers, until: time.deadline, unless: context.isClientGone
        ) {
            do throws(CommandFailure) {
                return .success(
                    HeldValue(try target.object(masks), of: target.entry.owner, .toOwner))
            } catch {
                return .failure(error)
            }
        }
        guard case .finished(let result) = call else {
            throw ObjectReading.unanswered(target.entry, within: time)
        }
        return try result.get()
    }

    /// Makes the values of the arguments, on a worker, and what then runs on the owner.
    private func prepare(
        _ arguments: [Argument], _ method: TypeMethod, _ signature: FunctionSignature,
        _ target: MethodTarget
    ) -> Action.Prepare {
        let (name, masks) = (name, context.agent.masks)
        return { _ in
            var values: [Any] = []
            for (index, (argument, parameter)) in zip(arguments, signature.parameters).enumerated()
            {
                let value: Any
                if let object = argument.object?.value {
                    value = object
                } else {
                    let making = LiteralValue(
                        subject: "argument \(index + 1) of \(name)", isMasked: true, masks: masks)
                    do throws(CommandFailure) {
                        value = try making.make(argument.literal ?? .null, as: parameter.type)
                    } catch {
                        var failure = error
                        failure.hint = ArgumentMark.text(
                            name, signature.renderedParameters, at: index)
                        throw failure
                    }
                }
                guard TypedMemory.isValue(value, of: parameter.type) else {
                    throw CommandFailure(
                        .wrongType,
                        "argument \(index + 1) of \(name) is \(ChangedType.withArticle(parameter.type)); "
                            + "it was given \(ChangedType.withArticle(type(of: value)))",
                        hint: ArgumentMark.text(name, signature.renderedParameters, at: index))
                }
                values.append(value)
            }
            // Used once, by the one thread that runs the call.
            nonisolated(unsafe) let made = values
            guard signature.isAsync else {
                return .synchronous { target.call(method, made, masks) }
            }
            return .asynchronous { await target.callAsync(method, made, masks) }
        }
    }
}

extension MethodTarget {
    /// Calls an async method, from its owner's executor.
    func callAsync(
        _ method: TypeMethod, _ values: [Any], _ masks: MaskPolicy
    ) async -> Action.Outcome {
        let object: AnyObject
        do throws(CommandFailure) {
            object = try self.object(masks)
        } catch {
            return .failed(error)
        }
        guard case .success(let callability) = method.callability, let record = method.record,
            let call = AsyncSwiftCall(values, callability)
        else {
            return .failed(
                CommandFailure(.internal, "\(method.name) was not called: a value does not fit"))
        }
        switch await call.run(record, on: object, throws: method.signature?.canThrow == true) {
        case .returned(let value): return .returned(value.map(UncheckedValue.init(value:)))
        case .threw(let error):
            return .threw(Action.text(of: error), UncheckedValue(value: error))
        }
    }
}
#endif
