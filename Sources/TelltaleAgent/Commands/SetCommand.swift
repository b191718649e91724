#if TELLTALE_AGENT
import TelltaleProtocol

extension SetCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let changing = PathChanging(
            context: context, setters: PropertySetters(isRaw: parameters.isRaw == true),
            asksBeforeEmptying: parameters.isConfirmed == false)
        let asked = try asked(parameters)
        guard parameters.preview != true else {
            let pending = context.agent.pendingChanges
            let collected =
                pending.isOpen(context.connection)
                ? try pending.all(of: context.connection, orNone: true) : []
            let preview = try changing.preview(asked, after: collected)
            return ChangeAnswer(change: .unmade(preview, ChangeRecord.preview, in: context))
        }
        if context.agent.pendingChanges.isOpen(context.connection) {
            guard parameters.isRaw != true else {
                throw CommandFailure(
                    .unsupported,
                    "what is set with --raw can't be made together with other changes",
                    hint: "`commit` or `rollback` first, and set it by itself")
            }
            let pending = try ChangeCommitting(context: context).add(asked)
            return ChangeAnswer(change: .unmade(pending, ChangeRecord.pending, in: context))
        }
        return ChangeAnswer(change: try changing.change(asked))
    }

    static func changed(_ parameters: Parameters) -> String? {
        parameters.preview == true ? nil : parameters.path
    }

    static let hasTargets = true

    static func targets(_ parameters: Parameters, in context: CommandContext) -> [String] {
        context.names(ofPath: parameters.path)
    }

    private static func asked(
        _ parameters: Parameters
    ) throws(CommandFailure) -> PathChanging.Asked {
        let edit: ValueEdit
        switch parameters.operation {
        case nil, "=": edit = .assign(TypedText(parameters.value))
        case "+=": edit = .combine(isSum: true, TypedText(parameters.value))
        case "-=": edit = .combine(isSum: false, TypedText(parameters.value))
        case let name?:
            guard let operation = ValueOperation(rawValue: name) else {
                throw CommandFailure(
                    .usage, "'\(name.escaped(limit: 60))' is nothing that `set` can do")
            }
            edit = .operation(operation, TypedText(argumentsOf: parameters.value))
        }
        return PathChanging.Asked(path: parameters.path, edit: edit)
    }
}
#endif
