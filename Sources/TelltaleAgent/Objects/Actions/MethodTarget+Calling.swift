#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

// Calls of synchronous methods.
extension MethodTarget {
    /// Calls a synchronous method. Called on the owner.
    func call(_ method: TypeMethod, _ values: [Any], _ masks: MaskPolicy) -> Action.Outcome {
        do throws(CommandFailure) {
            switch sort {
            case .actor(let actor):
                guard let actor = actor.retained() else { throw gone }
                return Self.outcome(method.call(on: actor, values), method)
            case .object:
                return Self.outcome(method.call(on: try object(masks), values), method)
            case .value: return try callValue(method, values, masks)
            case .type: return Self.outcome(method.call(onType: type, values), method)
            }
        } catch {
            return .failed(error)
        }
    }

    /// The reason why code that describes the value is not run, as in
    /// ``ValueReader/refusalToDescribe(_:rootName:)``; `nil` if it may run. Called on the owner.
    func refusalToDescribe(by reader: ValueReader) -> CommandFailure? {
        if case .actor(let actor) = sort, let actor = actor.retained() {
            return reader.refusalToDescribe(.value(actor), rootName: rendered)
        }
        do throws(CommandFailure) {
            let root = try Self.root(of: entry, expected, reader.masks)
            var refusal: CommandFailure?
            try Self.reach(root, entry, path, reader.masks) { value, _ in
                refusal = reader.refusalToDescribe(.value(value), rootName: rendered)
            }
            return refusal
        } catch {
            return error
        }
    }

    private var gone: CommandFailure {
        CommandFailure(.gone, "\(rendered) is gone; nothing was called")
    }

    /// The object, if an object of the same type is still at the path. Called on the owner.
    func object(_ masks: MaskPolicy) throws(CommandFailure) -> AnyObject {
        if case .actor(let actor) = sort {
            guard let actor = actor.retained() else { throw gone }
            return actor
        }
        let root = try Self.root(of: entry, expected, masks)
        var object: AnyObject?
        try Self.reach(root, entry, path, masks) { value, _ in
            if Swift.type(of: value) == type { object = value as AnyObject }
        }
        guard let object else { throw changed }
        return object
    }

    private var changed: CommandFailure {
        CommandFailure(
            .conflict,
            "\(rendered) is not \(ChangedType.withArticle(type)) any more; nothing was called")
    }

    /// Calls a struct's method on a copy of the value, and writes the copy back if the method changed it.
    private func callValue(
        _ method: TypeMethod, _ values: [Any], _ masks: MaskPolicy
    ) throws(CommandFailure) -> Action.Outcome {
        let root = try Self.root(of: entry, expected, masks)
        let type = type
        var outcome: Action.Outcome?
        var copy: Any?
        var obstacle: String?
        try Self.reach(root, entry, path, masks) { value, walk in
            obstacle = walk?.obstacle
            guard Swift.type(of: value) == type else { return }
            TypedMemory.withMemory(for: type) { place in
                guard TypedMemory.initialize(place, to: value, as: type) else { return }
                outcome = Self.outcome(
                    method.call(onPlainValue: type, at: place, values), method)
                let after = TypedMemory.load(type, at: place)
                if !TypedMemory.sameBytes(value, after) { copy = after }
            }
        }
        guard let outcome else { throw changed }
        guard let copy else { return outcome }
        if let obstacle {
            throw CommandFailure(
                .unsupported, "\(method.name) would change its value, and \(obstacle)")
        }
        try write(copy, from: root, masks)
        return outcome
    }

    private func write(
        _ value: Any, from root: AnyObject, _ masks: MaskPolicy
    ) throws(CommandFailure) {
        let walk = StoredWalk(
            rootName: entry.name, masks: masks, isWriting: true, needsLock: entry.owner.isNone
        ) { place, _ in
            // A reference leads to an object, whose methods are called in place.
            if case .reference = place { return }
            _ = place.assign(value)
        }
        walk.turn = .init(on: entry.owner)
        try walk.walk(from: .object(root), path)
    }

    private static func outcome(
        _ outcome: SwiftCall.Outcome?, _ method: TypeMethod
    ) -> Action.Outcome {
        switch outcome {
        case nil:
            .failed(
                CommandFailure(.internal, "\(method.name) was not called: a value does not fit"))
        case .returned(let value)?: .returned(value.map(UncheckedValue.init(value:)))
        case .threw(let error)?:
            .threw(Action.text(of: error), UncheckedValue(value: error))
        }
    }
}
#endif
