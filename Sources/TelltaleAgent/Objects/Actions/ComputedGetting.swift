#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// Reads unregistered computed properties: their getters, found by symbol, run on the owners of their
/// objects, as jobs with the deadline of the command.
struct ComputedGetting {
    let context: CommandContext
    let isConfirmed: Bool
    var options = ReadingOptions()

    /// The maximum number of properties of a value computed by one command.
    private static let most = 64

    /// Reads the computed property at a path; `failure` is the error of the attempt to read a stored property
    /// there.
    func read(
        _ text: String, else failure: CommandFailure
    ) throws(CommandFailure) -> ValueAnswer {
        let isPlain =
            !options.snapshot && options.match == nil && options.fields == nil && !options.isTable
            && options.asked.isEmpty
        guard failure.code == .notFound, isPlain, let path = try? ValuePath(parsing: text),
            let (target, getter, rest) = found(path)
        else { throw failure }
        let name = getter.name
        // Access is checked for the getter that runs, wherever the path continues from its result.
        try checkAccess(
            ValuePath(root: path.root, components: Array(path.components.dropLast(rest.count)))
                .description)
        if masks(name, getter, in: target, path.root) {
            return answer(path.description, Self.masked(getter), target)
        }
        guard let refusal = refusal(getter, of: target) else {
            try checkConfirmed(path.description)
            return answer(
                path.description,
                try value(getter, of: target, name: path.description, rest: rest), target)
        }
        throw CommandFailure(
            .unsupported,
            "\(path.description) is computed, and its getter can't be run: \(refusal)",
            hint: "in the service: Telltale.property(\"\(name)\", of: object) { $0.\(name) }")
    }

    /// The properties of a value that getters of its type compute, with the reason for each getter that can't
    /// run.
    func all(
        _ text: String, without known: Set<String>
    ) throws(CommandFailure) -> [ValueNode] {
        guard let path = try? ValuePath(parsing: text),
            let target = try? MethodTarget.find(path, in: context)
        else { return [] }
        let getters = computed(of: target).filter {
            !known.contains($0.name) && !Self.isOwn($0.name)
        }
        guard !getters.isEmpty else { return [] }
        for getter in getters { try checkAccess("\(path.description).\(getter.name)") }
        try checkConfirmed(text)
        var isHanging = false
        var nodes = getters.prefix(Self.most).map { getter -> ValueNode in
            var node: ValueNode
            if masks(getter.name, getter, in: target, path.root) {
                node = Self.masked(getter)
            } else if let refusal = refusal(getter, of: target) {
                node = unavailable(getter, "its getter can't be run: \(refusal)")
            } else if isHanging {
                node = unavailable(getter, "an earlier getter has not come back")
            } else {
                do throws(CommandFailure) {
                    node = try value(
                        getter, of: target, name: "\(path.description).\(getter.name)", rest: [])
                } catch {
                    isHanging = error.code == .timeout
                    node = unavailable(getter, error.message)
                }
            }
            node.label = getter.name
            node.note = node.note.map { "computed; \($0)" } ?? "computed"
            return node
        }
        if getters.count > Self.most {
            var cut = ValueNode(type: "", kind: .unavailable)
            cut.note = "\(Quantity.count(getters.count - Self.most)) more are computed"
            nodes.append(cut)
        }
        return nodes
    }

    // MARK: Finding

    /// The last object on the path, the getter of the following component, which is not stored, and the
    /// remaining components.
    private func found(
        _ path: ValuePath
    ) -> (MethodTarget, TypeMethod, [ValuePath.Component])? {
        var known = path.components
        var rest: [ValuePath.Component] = []
        while let next = known.popLast() {
            if case .property(let name) = next,
                let target = try? MethodTarget.find(
                    ValuePath(root: path.root, components: known), in: context)
            {
                guard let getter = computed(of: target).first(where: { $0.name == name }) else {
                    return nil
                }
                return (target, getter, rest)
            }
            rest.insert(next, at: 0)
        }
        return nil
    }

    /// The getters of properties that are not stored; the most derived one for each name.
    private func computed(of target: MethodTarget) -> [TypeMethod] {
        guard
            let methods = TypeMethods.all(
                of: target.type, context.agent.symbols, until: context.answerDeadline)
        else { return [] }
        var seen: Set<String> = []
        for type in TypeMetadata.lineage(of: target.type) {
            for field in FieldCache.fields(of: type) {
                seen.formUnion([field.name, field.shownName])
            }
        }
        return methods.filter {
            $0.signature?.kind == .getter && $0.signature?.isStatic == false
                && seen.insert($0.name).inserted
        }
    }

    /// The names of getters whose text describes the whole value: they are refused if `--describe` is.
    private static let descriptions: Set<String> = [
        "description", "debugDescription", "localizedDescription", "errorDescription",
        "failureReason", "recoverySuggestion", "helpAnchor", "customMirror",
        "customPlaygroundDescription", "playgroundDescription",
    ]

    /// Returns whether a property was made by the compiler or the runtime for itself.
    private static func isOwn(_ name: String) -> Bool {
        name.hasPrefix("_") || name.hasPrefix("$")
            || ["unownedExecutor", "hashValue", "description", "debugDescription", "customMirror"]
                .contains(name)
    }

    private func refusal(_ getter: TypeMethod, of target: MethodTarget) -> String? {
        if let refusal = getter.refusal { return refusal }
        if case .value = target.sort, !TypeMetadata(target.type).isTrivial {
            return "it is of a struct that holds references"
        }
        return nil
    }

    private func checkConfirmed(_ text: String) throws(CommandFailure) {
        guard !isConfirmed else { return }
        throw CommandFailure(
            .unconfirmed,
            "\(text.escaped(limit: 100)) is computed: its getter runs as if the service called it, and one "
                + "that traps, or waits for the owner that it runs on, ends the service or blocks it",
            hint: "--yes runs it; `show` has what is stored")
    }

    private func checkAccess(_ text: String) throws(CommandFailure) {
        guard context.agent.mode == .readWrite else {
            throw CommandFailure(
                .denied,
                "\(text.escaped(limit: 100)) is computed by code of the service, which a read-only agent "
                    + "doesn't run",
                hint: "start the service with TELLTALE_MODE=read-write, or register it: "
                    + "Telltale.property(\"name\", of: object) { $0.name }")
        }
        try context.checkAccess(
            CallCommand.description.name, to: context.names(ofCall: text))
    }

    // MARK: Running

    private func value(
        _ getter: TypeMethod, of target: MethodTarget, name: String,
        rest: [ValuePath.Component]
    ) throws(CommandFailure) -> ValueNode {
        let masks = context.agent.masks
        let limits = context.agent.readLimits(until: context.ownerDeadline)
        let describes = Self.descriptions.contains(getter.name)
        let action = Action(
            name: name, parameters: [], names: [],
            result: getter.signature.map { TypeNames.name(of: $0.result) } ?? "",
            owner: target.owner, isAsync: false, code: .function(getter.address)
        ) { _ in
            .synchronous {
                let reader = ValueReader(limits: limits, masks: masks, handles: nil)
                if describes, let refusal = target.refusalToDescribe(by: reader) {
                    return .failed(refusal)
                }
                return target.call(getter, [], masks)
            }
        }
        let run = ActionRun(
            context: context, action: action, command: GetCommand.description.name,
            depth: options.depth, elements: options.limit, path: rest)
        let (outcome, _) = try run.outcome([])
        switch outcome {
        case .returned(let node?): return node
        case .returned(nil): return ValueNode(type: "Void", kind: .scalar, text: "()")
        case .threw(let words, _): throw CommandFailure(.hostError, "\(name) threw: \(words)")
        case .failed(let failure): throw failure
        case .withdrawn: throw CommandFailure(.gone, "\(name) was not computed")
        }
    }

    private func answer(
        _ path: String, _ value: ValueNode, _ target: MethodTarget
    ) -> ValueAnswer {
        ValueAnswer(
            path: path, value: value, owner: target.owner.description,
            read: "computed by its getter, on its owner")
    }

    private func masks(
        _ name: String, _ getter: TypeMethod, in target: MethodTarget, _ root: ValuePath.Root
    ) -> Bool {
        if case .handle(let number) = root, context.agent.handles.place(of: number)?.foundWord != 0,
            context.agent.masks.masks(found: target.type)
        {
            return true
        }
        let isNamedSo = context.agent.masks.masks(name: name, of: getter.signature?.result)
        return context.agent.masks.masks(part: name, of: target.type, isNamedSo: isNamedSo)
    }

    private static func masked(_ getter: TypeMethod) -> ValueNode {
        ValueNode(
            type: getter.signature.map { TypeNames.name(of: $0.result) } ?? "", kind: .masked,
            text: MaskPolicy.text)
    }

    private func unavailable(_ getter: TypeMethod, _ note: String) -> ValueNode {
        ValueNode(
            type: getter.signature.map { TypeNames.name(of: $0.result) } ?? "",
            kind: .unavailable, note: note)
    }
}
#endif
