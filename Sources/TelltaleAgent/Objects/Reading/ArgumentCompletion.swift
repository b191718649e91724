#if TELLTALE_AGENT
import TelltaleProtocol

/// Says what can stand as an argument of a call: its label, and values where its type has few; and how the call
/// is made.
struct ArgumentCompletion {
    let context: CommandContext

    /// What can stand as an argument of what stands before the parenthesis, by its number from 0.
    func complete(_ call: String, index: Int) -> CompletionAnswer {
        let masks = context.agent.masks
        var steps: [CompletedStep] = []
        var hints: [String] = []
        func add(_ label: String?, _ type: Any.Type) {
            if let label { steps.append(CompletedStep("\(label): ", of: type)) }
            // The cases of a secret's type would tell something of it.
            if let label, masks.masks(name: label, of: type) { return }
            steps += CompletedStep.values(of: type) { masks.masks(type: $0) }
        }
        if let action = context.agent.shared.actions.entry(call) {
            hints.append(action.signature)
            if action.types.indices.contains(index) {
                add(action.argumentName(index), action.types[index])
            }
        } else if let method = try? MethodCalling(call, in: context) {
            for signature in method.signatures {
                hints.append(signature.rendered)
                guard signature.parameters.indices.contains(index) else { continue }
                add(signature.parameters[index].label, signature.parameters[index].type)
            }
        }
        return CompletionAnswer(steps, hints: hints)
    }
}
#endif
