#if TELLTALE_AGENT
import TelltaleProtocol

/// Calls of the standard library's operations on collections, strings and `Bool`s, made as changes:
/// `photos.tags.append("x")`. A registered action of that name has precedence.
struct OperationCalling {
    let context: CommandContext

    /// Makes the change that a call represents; `nil` if it represents none.
    ///
    /// - Throws: The reason why the change was not made; `.unsupported` if the value has no such operation.
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
        return try PathChanging(
            context: context, asksBeforeEmptying: parameters.isConfirmed == false
        ).change(asked)
    }
}
#endif
