#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

extension MethodCalling {
    /// One argument: a typed value, or an object at a path.
    struct Argument: Sendable {
        var label: String?
        var literal: Literal?
        var object: HeldValue<AnyObject>?
    }

    func arguments(
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

    /// The object at a path, retained on its owner.
    private func object(
        _ text: String, _ subject: String
    ) throws(CommandFailure) -> HeldValue<AnyObject> {
        guard let path = try? ValuePath(parsing: text) else {
            throw CommandFailure(
                .usage, "\(subject) is an object, which is named by its path or by #N")
        }
        let target = try MethodTarget.find(path, in: context)
        let masks = context.agent.masks
        return try ObjectReading.onOwner(
            of: target.entry, within: OwnerTime(in: context), in: context
        ) { () throws(CommandFailure) in
            HeldValue(try target.object(masks), of: target.entry.owner, .toOwner)
        }
    }

    /// Makes the values of the arguments, on a worker, and returns the call to run on the owner.
    func prepare(
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
                            + "what was typed is \(ChangedType.withArticle(type(of: value)))",
                        hint: ArgumentMark.text(name, signature.renderedParameters, at: index))
                }
                values.append(value)
            }
            // Used once, by the thread that runs the call.
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
        let receiver: AsyncReceiver
        do throws(CommandFailure) {
            receiver = isType ? .type(TypeMethod.selfWord(of: type)) : .object(try object(masks))
        } catch {
            return .failed(error)
        }
        guard case .success(let callability) = method.callability, let record = method.record,
            let call = AsyncSwiftCall(values, callability)
        else {
            return .failed(
                CommandFailure(.internal, "\(method.name) was not called: a value does not fit"))
        }
        switch await call.run(record, on: receiver, throws: method.signature?.canThrow == true) {
        case .returned(let value): return .returned(value.map(UncheckedValue.init(value:)))
        case .threw(let error):
            return .threw(Action.text(of: error), UncheckedValue(value: error))
        }
    }
}
#endif
