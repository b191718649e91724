#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

/// The completions of a call's argument: its label, and its values if its type has few; and the signatures of
/// the call, as hints.
struct ArgumentCompletion {
    let context: CommandContext

    /// The completions of the argument at `index`, counted from 0, of `call`, the text before the
    /// parenthesis.
    func complete(_ call: String, index: Int) -> CompletionAnswer {
        let masks = context.agent.masks
        var steps: [CompletedStep] = []
        var hints: [String] = []
        func add(_ label: String?, _ type: Any.Type) {
            if let label { steps.append(CompletedStep("\(label): ", of: type)) }
            // The cases of a secret's type would reveal something about it.
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
