#if TELLTALE_AGENT
import TelltaleProtocol

/// Calls of what the standard library's collections, texts and Bools have, as changes of theirs:
/// `photos.tags.append("x")`. What was registered as an action goes before it.
struct OperationCalling {
    let context: CommandContext

    /// Makes the change that a call stands for; nil where it stands for none.
    ///
    /// - Throws: Why it was not made; `.unsupported` where what it was called on has no such operation.
    func change(
        _ parameters: CallCommand.Parameters
    ) throws(CommandFailure) -> ChangeRecord? {
        guard context.agent.shared.actions.entry(parameters.action) == nil,
            let path = try? ValuePath(parsing: parameters.action),
            case .property(let name)? = path.components.last,
            let operation = ValueOperation(rawValue: name)
        else { return nil }
        let place = ValuePath(root: path.root, components: path.components.dropLast())
        guard (try? PathReading(context: context).resolve(place)) != nil else { return nil }
        try context.checkAccess("set", to: context.names(ofPath: place.description))
        let asked = PathChanging.Asked(
            path: place.description,
            edit: .operation(operation, TypedText(argumentsOf: parameters.arguments)))
        if context.agent.pendingChanges.isOpen(context.connection) {
            return .unmade(
                try ChangeCommitting(context: context).add(asked), ChangeRecord.pending, in: context
            )
        }
        return try PathChanging(context: context).change(asked)
    }
}
#endif
