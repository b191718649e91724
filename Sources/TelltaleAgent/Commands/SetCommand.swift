#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

extension SetCommand: AgentCommand {
    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let changing = PathChanging(
            context: context, setters: PropertySetters(isRaw: parameters.isRaw == true))
        let asked = try asked(parameters)
        guard parameters.preview != true else {
            let preview = try changing.readingSetters { () throws(CommandFailure) in
                try changing.preview(asked)
            }
            return ChangeAnswer(
                change: ChangeRecord(
                    number: 0, path: parameters.path, old: preview.oldText, new: preview.newText,
                    result: ChangeRecord.preview, by: context.peer,
                    time: Quantity.moment(nanoseconds: WallClock.nanoseconds), note: preview.note))
        }
        let change = try changing.readingSetters { () throws(CommandFailure) in
            try changing.change(asked)
        }
        return ChangeAnswer(change: change)
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
