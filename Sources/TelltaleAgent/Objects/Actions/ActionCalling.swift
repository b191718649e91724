#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// Runs registered actions on their owners, with a deadline.
struct ActionCalling {
    let context: CommandContext

    /// Runs the action named `name` with the argument list `text`.
    func call(_ name: String, arguments text: String) throws(CommandFailure) -> CallAnswer {
        guard let action = context.agent.shared.actions.entry(name) else { throw unknown(name) }
        guard !action.isGone else { throw ActionRun.gone(action) }
        return try call(action, try arguments(text, of: action))
    }

    /// Runs an action with typed arguments.
    func call(
        _ action: Action, _ typed: [Literal.Argument]
    ) throws(CommandFailure) -> CallAnswer {
        let (agent, name) = (context.agent, action.name)
        let arguments = typed.enumerated().map { index, argument in
            let type = action.types.indices.contains(index) ? action.types[index] : nil
            return Self.json(of: argument.value, as: type)
        }
        let record = CallRecord(action: action, masks: agent.masks)
        if record.leavesOut(typed) { context.bringsSecret.set() }
        let began = MonotonicTime.now
        let run = ActionRun(context: context, action: action)
        let (outcome, job) = try run.outcome(arguments)
        if case .withdrawn = outcome {
            throw agent.changes.addWithdrawn(
                name, new: "not called", by: context.author, since: context.clientEnd)
        }
        let took = MonotonicTime.now.since(began).microseconds
        let change = agent.changes.addCall(
            name, arguments: record.text(of: typed), result: outcome.text, by: context.author)
        job?.isListed(by: change.number)
        switch outcome {
        case .returned(let node):
            return CallAnswer(
                action: name, value: node.map(numbered), microseconds: took, change: change.number)
        case .threw(let error, _):
            throw CommandFailure(.hostError, "\(name) threw: \(error)")
        case .failed(let failure): throw failure
        case .withdrawn: throw CommandFailure(.gone, "\(name) was not called")
        }
    }

    /// An argument as JSON for its type's decoding. A number for a type with its own format is passed as
    /// text, because a `Double` would round it.
    private static func json(of literal: Literal, as type: Any.Type?) -> JSONValue {
        guard let type else { return literal.jsonValue }
        switch literal {
        case .integer(let text) where ValueFormats.takesNumbers(type),
            .float(let text) where ValueFormats.takesNumbers(type):
            return .string(text)
        default: return literal.jsonValue
        }
    }

    private func arguments(
        _ text: String, of action: Action
    ) throws(CommandFailure) -> [Literal.Argument] {
        let typed: [Literal.Argument]
        do throws(CommandFailure) {
            typed = try Literal.arguments(parsing: text)
        } catch {
            // The parser's message and hint repeat the typed text, which may be a secret.
            throw CommandFailure(
                .usage, "what was typed for \(action.name) can't be read as its arguments",
                hint: "write them as \(action.signature), texts in quotes")
        }
        for (index, argument) in typed.enumerated() {
            guard let label = argument.label, label != action.argumentName(index) else {
                continue
            }
            throw CommandFailure(
                .usage,
                action.names.isEmpty
                    ? "`\(label):` can't be matched: an action's arguments have no labels"
                    : "`\(label):` can't be matched: there is no such argument at that place",
                hint: "write them in the order of \(action.signature)")
        }
        return typed
    }

    private func unknown(_ name: String) -> CommandFailure {
        let names = context.agent.shared.actions.present.map(\.name)
        let registered =
            names.isEmpty
            ? "no action is registered; in the service: Telltale.action(\"name\", on: queue) { … }"
            : "`actions` lists them"
        return CommandFailure(
            .notFound, "there is no action `\(name.escaped(limit: 100))`",
            hint: NearestNames.question(name, among: names) ?? registered)
    }
}

extension ActionCalling {
    /// The result with a handle, if it is an object that is still alive.
    func numbered(_ node: ValueNode) -> ValueNode {
        guard node.kind == .object, let text = node.address, text.hasPrefix("0x"),
            let address = UInt(text.dropFirst(2), radix: 16),
            let type = MetadataCheck.classOfObject(at: address, in: .process)
        else { return node }
        var node = node
        node.handle = context.agent.handles.handle(
            found: address, word: UInt(bitPattern: TypeMetadata(type).pointer),
            typeName: TypeNames.name(of: type))
        return node
    }
}
#endif
